/*
 * For the files that define functions which HIP's libraries export: "rt_" and the vendor's name.
 * Nothing here calls them, the generated shared objects give them their real names (exports.txt).
 */
#ifndef RT_HIP_EXPORTS_H
#define RT_HIP_EXPORTS_H

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#endif
