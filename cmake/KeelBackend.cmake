# keel_add_backend, for backends inside and outside Keel's tree: installed with the package, so that
# find_package(keel) defines it.

# keel_embed_text(files symbol out_source): a C file that defines the text of the files, one after
# another, as const char symbol[].
function(keel_embed_text files symbol out_source)
  set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/embed_text.cmake)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.c)
  add_custom_command(OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} "-DINPUT=${files}" -DSYMBOL=${symbol} -DOUTPUT=${source} -P ${script}
    DEPENDS ${files} ${script} VERBATIM)
  set(${out_source} ${source} PARENT_SCOPE)
endfunction()

# keel_add_backend(NAME name SOURCES files... [TEXTS file symbol ...] [BUILTIN])
# A backend is a MODULE keel_<name>.so: loaded, never linked. It sees keel::headers and nothing else
# of Keel's, and exports keel_backend_entry alone. TEXTS are embedded as const char symbol[].
# It is installed where libkeel looks when KEEL_BACKEND_INSTALL_DIR says where. It carries the note of
# keel/backend_note.h and a build id, which libkeel reads before it loads the file.
# BUILTIN (Keel's own build only) puts it into libkeel; it then defines keeli_backend_<name>.
function(keel_add_backend)
  cmake_parse_arguments(arg "BUILTIN" "NAME" "SOURCES;TEXTS" ${ARGN})
  if(NOT arg_NAME MATCHES "^[a-z0-9_]+$")
    message(FATAL_ERROR "keel_add_backend: NAME \"${arg_NAME}\" is not of a-z, 0-9 and _")
  endif()
  set(target keel_backend_${arg_NAME})
  while(arg_TEXTS)
    list(POP_FRONT arg_TEXTS file symbol)
    keel_embed_text(${CMAKE_CURRENT_SOURCE_DIR}/${file} ${symbol} text)
    list(APPEND arg_SOURCES ${text})
  endwhile()
  if(arg_BUILTIN)
    add_library(${target} OBJECT ${arg_SOURCES})
    set_property(GLOBAL APPEND PROPERTY KEEL_BACKENDS ${arg_NAME})
    set_property(GLOBAL APPEND PROPERTY KEEL_OBJECTS ${target})
  else()
    set(map ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/backend.map)
    set(note ${CMAKE_CURRENT_BINARY_DIR}/keel_${arg_NAME}_note.c)
    file(CONFIGURE OUTPUT ${note} CONTENT "#include \"keel/backend_note.h\"\n" @ONLY)
    add_library(${target} MODULE ${arg_SOURCES} ${note})
    target_link_options(${target} PRIVATE -Wl,-z,defs -Wl,--build-id=sha1
      -Wl,--version-script=${map})
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${map})
    set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME keel_${arg_NAME})
    if(KEEL_BACKEND_OUTPUT_DIR)
      set_property(TARGET ${target} PROPERTY LIBRARY_OUTPUT_DIRECTORY ${KEEL_BACKEND_OUTPUT_DIR})
    endif()
    if(KEEL_BACKEND_INSTALL_DIR)
      install(TARGETS ${target} LIBRARY DESTINATION ${KEEL_BACKEND_INSTALL_DIR})
    endif()
    set_property(GLOBAL APPEND PROPERTY KEEL_MODULES ${target})
  endif()
  set_target_properties(${target} PROPERTIES C_VISIBILITY_PRESET hidden
    POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${target} PRIVATE keel::headers)
  foreach(flags keel_warnings keel_hardening)
    if(TARGET ${flags})
      target_link_libraries(${target} PRIVATE ${flags})
    endif()
  endforeach()
endfunction()
