# What an installation offers other projects: find_package(keel) and pkg-config keel.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/keel)
install(EXPORT keelTargets NAMESPACE keel:: DESTINATION ${package_dir})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/keelConfig.cmake.in
  ${PROJECT_BINARY_DIR}/package/keelConfig.cmake INSTALL_DESTINATION ${package_dir}
  PATH_VARS CMAKE_INSTALL_LIBDIR)
# Before 1.0 a minor release may change the API; a patch release may not.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/keelConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/package/keelConfig.cmake
  ${PROJECT_BINARY_DIR}/package/keelConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/KeelBackend.cmake
  ${PROJECT_SOURCE_DIR}/cmake/embed_text.cmake
  ${PROJECT_SOURCE_DIR}/cmake/backend.map
  DESTINATION ${package_dir})

# Distributions pass absolute directories; relative ones stay under the prefix, so that the file
# survives a move.
foreach(dir LIBDIR INCLUDEDIR)
  if(IS_ABSOLUTE "${CMAKE_INSTALL_${dir}}")
    set(pc_${dir} "${CMAKE_INSTALL_${dir}}")
  else()
    set(pc_${dir} "\${prefix}/${CMAKE_INSTALL_${dir}}")
  endif()
endforeach()
set(pc_PREFIX "@CMAKE_INSTALL_PREFIX@") # known when installing: cmake --install has --prefix
configure_file(${PROJECT_SOURCE_DIR}/cmake/keel.pc.in ${PROJECT_BINARY_DIR}/package/keel.pc.in @ONLY)
install(CODE "configure_file(\"${PROJECT_BINARY_DIR}/package/keel.pc.in\"
  \"${PROJECT_BINARY_DIR}/package/keel.pc\" @ONLY)")
install(FILES ${PROJECT_BINARY_DIR}/package/keel.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# The installed program finds its library in any prefix.
if(TARGET keel_cli AND NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" AND
   NOT IS_ABSOLUTE "${CMAKE_INSTALL_BINDIR}")
  file(RELATIVE_PATH up /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
  set_target_properties(keel_cli PROPERTIES INSTALL_RPATH "\$ORIGIN/${up}")
endif()
