# What the folders of this project build their targets with. A folder's CMakeLists.txt names what is
# in it, once; these functions do the rest.

include(KeelBackend)
# Where backends go in the build tree, next to libkeel as in an installation, and where they install.
set(KEEL_BACKEND_OUTPUT_DIR ${PROJECT_BINARY_DIR}/core/keel)
set(KEEL_BACKEND_INSTALL_DIR ${CMAKE_INSTALL_LIBDIR}/keel)

add_library(keel_warnings INTERFACE)
target_compile_options(keel_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
  -Wstrict-prototypes -Wmissing-prototypes -Wvla $<$<BOOL:${KEEL_WERROR}>:-Werror>)

add_library(keel_hardening INTERFACE)
target_compile_options(keel_hardening INTERFACE -fstack-protector-strong -ffp-contract=off
  $<$<CONFIG:Release>:-U_FORTIFY_SOURCE> $<$<CONFIG:Release>:-D_FORTIFY_SOURCE=2>)
target_link_options(keel_hardening INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)

# keel_add_op(name): the contract <name>.c, which defines keeli_op_<name>, in the current folder, and
# its kernels <name>.kc, embedded as keeli_text_<name>, unless it runs on those of other ops.
function(keel_add_op name)
  set(text "")
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${name}.kc)
    keel_embed_text(${CMAKE_CURRENT_SOURCE_DIR}/${name}.kc keeli_text_${name} text)
  endif()
  add_library(keel_op_${name} OBJECT ${name}.c ${text})
  target_include_directories(keel_op_${name} PRIVATE ${PROJECT_SOURCE_DIR}/ops)
  target_link_libraries(keel_op_${name} PRIVATE keel_headers keel_warnings keel_hardening)
  set_property(GLOBAL APPEND PROPERTY KEEL_OPS ${name})
  set_property(GLOBAL APPEND PROPERTY KEEL_OBJECTS keel_op_${name})
endfunction()

# keel_finish_library(): completes libkeel with the ops and built-in backends that were added.
function(keel_finish_library)
  get_property(ops GLOBAL PROPERTY KEEL_OPS)
  get_property(backends GLOBAL PROPERTY KEEL_BACKENDS)
  get_property(objects GLOBAL PROPERTY KEEL_OBJECTS)
  set(text "#include \"builtin.h\"\n\n")
  foreach(op IN LISTS ops)
    string(APPEND text "extern const keel_op keeli_op_${op};\n")
  endforeach()
  foreach(backend IN LISTS backends)
    string(APPEND text "extern const keel_backend keeli_backend_${backend};\n")
  endforeach()
  string(APPEND text "\nconst keel_op *const keeli_builtin_ops[] = {\n")
  foreach(op IN LISTS ops)
    string(APPEND text "    &keeli_op_${op},\n")
  endforeach()
  string(APPEND text "    NULL,\n};\n\nconst keel_backend *const keeli_builtin_backends[] = {\n")
  foreach(backend IN LISTS backends)
    string(APPEND text "    &keeli_backend_${backend},\n")
  endforeach()
  string(APPEND text "    NULL,\n};\n")
  set(source ${CMAKE_CURRENT_BINARY_DIR}/builtin.c)
  file(CONFIGURE OUTPUT ${source} CONTENT "${text}" @ONLY)
  target_sources(keel PRIVATE ${source})
  foreach(object IN LISTS objects)
    target_sources(keel PRIVATE $<TARGET_OBJECTS:${object}>)
  endforeach()

  # The same objects as an archive, where hidden symbols can be reached: for unit tests of internals.
  add_library(keel_internal STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:keel>)
  foreach(object IN LISTS objects)
    target_sources(keel_internal PRIVATE $<TARGET_OBJECTS:${object}>)
  endforeach()
  target_include_directories(keel_internal INTERFACE ${PROJECT_SOURCE_DIR}/core/src)
  target_link_libraries(keel_internal INTERFACE keel_headers m ${CMAKE_DL_LIBS} Threads::Threads)

  # keel/ops.h: a wrapper per contract, written by a program that asks the library.
  set(tools ${PROJECT_SOURCE_DIR}/tools)
  add_executable(keel_generate_ops_header ${tools}/generate_ops_header.c
    ${tools}/ops_header_options.c ${tools}/ops_header_text.c)
  target_link_libraries(keel_generate_ops_header PRIVATE keel keel_headers keel_warnings)
  # It is touched only when its text changes, so that a change of the library rebuilds no user.
  set(header ${PROJECT_BINARY_DIR}/include/keel/ops.h)
  set(stamp ${CMAKE_CURRENT_BINARY_DIR}/ops_header.stamp)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include/keel)
  add_custom_command(OUTPUT ${stamp} BYPRODUCTS ${header}
    COMMAND keel_generate_ops_header ${CMAKE_CURRENT_BINARY_DIR}/ops_header.new
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${CMAKE_CURRENT_BINARY_DIR}/ops_header.new ${header}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS keel_generate_ops_header VERBATIM)
  add_custom_target(keel_ops_header ALL DEPENDS ${stamp})
  install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/keel)
endfunction()

# keel_use(target): the target includes <keel/keel.h> and links libkeel, as an application would.
function(keel_use target)
  target_link_libraries(${target} PRIVATE keel::keel keel_warnings)
  add_dependencies(${target} keel_ops_header)
endfunction()

# keel_add_test(name [INTERNAL] [DEVICE] [SOURCES files...] [LINK targets...] [LABELS labels...]
#               [ENVIRONMENT NAME=value...] [TIMEOUT seconds] [ARGUMENTS args...])
# A CMocka program <name>.c in the current folder, run as the test unit.<name>; exit code 77 skips.
# It sees the public API. INTERNAL: it also sees core/src and links libkeel's objects directly.
# DEVICE: it wants real devices, gets the label "device" and must skip where there are none; without
# it only the backend ref is loaded. Caches stay in the build folder; KEEL_ variables of the user are
# cleared.
function(keel_add_test name)
  cmake_parse_arguments(arg "INTERNAL;DEVICE" "TIMEOUT" "SOURCES;LINK;LABELS;ENVIRONMENT;ARGUMENTS"
    ${ARGN})
  set(target test_${name})
  add_executable(${target} ${name}.c ${arg_SOURCES})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/tests/support)
  target_link_libraries(${target} PRIVATE PkgConfig::cmocka keel_warnings ${arg_LINK})
  if(arg_INTERNAL)
    target_link_libraries(${target} PRIVATE keel_internal)
    add_dependencies(${target} keel_ops_header)
  else()
    keel_use(${target})
  endif()
  set(backends ref)
  set(labels unit ${arg_LABELS})
  if(arg_DEVICE)
    set(backends "")
    list(APPEND labels device)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  add_test(NAME unit.${name} COMMAND ${target} ${arg_ARGUMENTS})
  keel_test_environment(unit.${name} KEEL_BACKENDS=${backends} ${arg_ENVIRONMENT})
  set_tests_properties(unit.${name} PROPERTIES LABELS "${labels}" TIMEOUT ${arg_TIMEOUT})
endfunction()

# keel_test_environment(test [NAME=value...]): shields a test from the user's caches and KEEL_ variables
# and makes exit code 77 a skip. Values given here win.
function(keel_test_environment test)
  set(environment KEEL_CACHE=${PROJECT_BINARY_DIR}/test-cache
    ASAN_OPTIONS=allocator_may_return_null=1 TSAN_OPTIONS=allocator_may_return_null=1)
  foreach(name BACKENDS BACKEND_FILES BACKEND_ADD_FILES VENDOR_DIR SIMULATOR DEVICE LOG RANGES)
    list(APPEND environment KEEL_${name}=)
  endforeach()
  list(APPEND environment ${ARGN})
  set_tests_properties(${test} PROPERTIES ENVIRONMENT "${environment}" SKIP_RETURN_CODE 77)
endfunction()
