# Compiles for Linux with glibc 2.28 or newer, whatever C library this machine has: for bundles. KEEL_ARCH
# is x86_64 or aarch64; KEEL_TOOLCHAIN is a folder with the programs cc, ar and ranlib, which
# tools/bundle/toolchain.sh makes; KEEL_DEPENDENCIES is a prefix with libraries for that target.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES KEEL_ARCH KEEL_TOOLCHAIN KEEL_DEPENDENCIES)

set(CMAKE_C_COMPILER ${KEEL_TOOLCHAIN}/cc)
set(CMAKE_AR ${KEEL_TOOLCHAIN}/ar)
set(CMAKE_RANLIB ${KEEL_TOOLCHAIN}/ranlib)
foreach(kind EXE SHARED MODULE)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "-s -Wl,--build-id=sha1")
endforeach()

# Programs of the build run here: as they are, or under an emulator.
if(NOT KEEL_ARCH STREQUAL CMAKE_HOST_SYSTEM_PROCESSOR)
  set(CMAKE_SYSTEM_NAME Linux)
  set(CMAKE_SYSTEM_PROCESSOR ${KEEL_ARCH})
  set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${KEEL_ARCH};-L;/usr/${KEEL_ARCH}-linux-gnu)
endif()

# Libraries and headers of this machine are not for the target.
set(CMAKE_FIND_ROOT_PATH ${KEEL_DEPENDENCIES})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${KEEL_DEPENDENCIES}/lib/pkgconfig)
