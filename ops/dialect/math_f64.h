/* f64 functions that are built from the device's own, which the prelude supplies. */

#ifdef KEEL_FP64
/* As k_rsqrt_f32. */
KDEV f64 k_rsqrt_f64(f64 x)
{
    const f64 y = k_rsqrt_fast_f64(x);
    const f64 h = x * y;
    const f64 residual = k_fma_f64(-h, y, 1.0) - k_fma_f64(x, y, -h) * y;
    return x > 0.0 && x < K_INF_F64 ? k_fma_f64(0.5 * y, residual, y) : y;
}

KDEV f64 k_sigmoid_f64(f64 x)
{
    const f64 e = k_exp_f64(-k_abs_f64(x));
    const f64 s = 1.0 / (1.0 + e);
    return x < 0.0 ? e * s : s;
}

/* As k_silu_f32. */
KDEV f64 k_silu_f64(f64 x)
{
    const i32 deep = x < -600.0;
    const f64 c = x < -1000.0 ? -1000.0 : x;
    const f64 e = k_exp_f64(deep ? c + 600.0 : -k_abs_f64(x));
    const f64 s = 1.0 / (1.0 + e);
    return deep ? c * e * 0x1.4dd4d0d12c071p-866 : c * (x < 0.0 ? e * s : s);
}

KDEV f64 k_gelu_f64(f64 x)
{
    const f64 h = 0.5 * (x < -60.0 ? -60.0 : x);
    return h * (1.0 + k_erf_f64(x * 0x1.6a09e667f3bcdp-1));
}

KDEV f64 k_gelu_tanh_f64(f64 x)
{
    const f64 c = k_clamp_f64(x, -60.0, 60.0);
    const f64 u = c * k_fma_f64(c * c, 0x1.2444f2a4d8b4bp-4, 0x1.9884533d43651p+0);
    return (x < -60.0 ? -60.0 : x) * k_sigmoid_f64(u);
}
#endif
