# cmake --install: libraries, headers, find_package(carom), files for pkg-config. The tool installs itself.
include(CMakePackageConfigHelpers)
set(CAROM_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/carom)

set(CAROM_TARGET_core carom)
set(CAROM_TARGET_io carom_io)
set(CAROM_TARGET_show carom_show)
foreach(part ${CAROM_PARTS})
  install(TARGETS ${CAROM_TARGET_${part}} EXPORT carom_${part})
  install(EXPORT carom_${part} NAMESPACE carom:: FILE carom_${part}Targets.cmake DESTINATION ${CAROM_CMAKE_DIR})
endforeach()

set(CAROM_LEFT_OUT "")
foreach(part io show)
  if(NOT part IN_LIST CAROM_PARTS)
    foreach(header ${CAROM_HEADERS_${part}})
      list(APPEND CAROM_LEFT_OUT PATTERN ${header}.h EXCLUDE)
    endforeach()
  endif()
endforeach()
install(DIRECTORY include/carom TYPE INCLUDE FILES_MATCHING PATTERN "*.h" ${CAROM_LEFT_OUT})
install(FILES LICENSE TYPE DOC)
if(CAROM_IO) # for editors
  install(FILES docs/carom.d.lua DESTINATION ${CMAKE_INSTALL_DATADIR}/carom/lua)
  install(FILES docs/model.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/carom)
endif()

configure_package_config_file(cmake/caromConfig.cmake.in caromConfig.cmake INSTALL_DESTINATION ${CAROM_CMAKE_DIR})
write_basic_package_version_file(caromConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/caromConfig.cmake ${PROJECT_BINARY_DIR}/caromConfigVersion.cmake
  cmake/caromDependencies.cmake
  DESTINATION ${CAROM_CMAKE_DIR})

# Paths in files for pkg-config are relative to the file itself, so that `cmake --install --prefix` may choose any place.
set(CAROM_PC_DIR ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH CAROM_PC_PREFIX ${CAROM_PC_DIR} ${CMAKE_INSTALL_PREFIX})
file(RELATIVE_PATH CAROM_PC_LIBDIR ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH CAROM_PC_INCLUDEDIR ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
string(REGEX REPLACE "/$" "" CAROM_PC_PREFIX "${CAROM_PC_PREFIX}")

# carom_write_pc(PART REQUIRES LIBS LIBS_PRIVATE DESCRIPTION): the libraries of others are named for a static one alone;
# a shared one finds its own, and pkg-config would ask for their development files all the same.
function(carom_write_pc part requires libs libs_private description)
  set(name ${CAROM_TARGET_${part}})
  set(requires_private "")
  if(BUILD_SHARED_LIBS)
    set(libs_private "")
  else()
    list(JOIN CAROM_MODULES_${part} " " requires_private)
  endif()
  configure_file(cmake/carom.pc.in ${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

list(TRANSFORM CAROM_SUNDIALS_PARTS PREPEND -lsundials_ OUTPUT_VARIABLE CAROM_PC_SUNDIALS)
if(CAROM_SUNDIALS OR CAROM_KLU)
  list(APPEND CAROM_PC_SUNDIALS -lklu) # which SUNDIALS' targets bring along, but not its libraries
endif()
list(JOIN CAROM_PC_SUNDIALS " " CAROM_PC_SUNDIALS)
carom_write_pc(core "" "-lcarom -lm" "${CAROM_PC_SUNDIALS}" "${PROJECT_DESCRIPTION}")
if(CAROM_IO)
  carom_write_pc(io "carom = ${PROJECT_VERSION}" -lcarom_io "" "Models as text, meshes and results of Carom")
endif()
if(CAROM_SHOW)
  carom_write_pc(show "carom_io = ${PROJECT_VERSION}" -lcarom_show "" "Plots, reports and pictures of Carom")
endif()
