# cmake --install: library, headers, find_package(carom), carom.pc. The tool installs itself.
include(CMakePackageConfigHelpers)
set(CAROM_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/carom)

install(TARGETS carom EXPORT carom)
install(DIRECTORY include/carom TYPE INCLUDE FILES_MATCHING PATTERN "*.h")
install(FILES LICENSE TYPE DOC)

install(EXPORT carom NAMESPACE carom:: FILE caromTargets.cmake DESTINATION ${CAROM_CMAKE_DIR})
configure_package_config_file(cmake/caromConfig.cmake.in caromConfig.cmake INSTALL_DESTINATION ${CAROM_CMAKE_DIR})
write_basic_package_version_file(caromConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/caromConfig.cmake ${PROJECT_BINARY_DIR}/caromConfigVersion.cmake
  cmake/caromDependencies.cmake
  DESTINATION ${CAROM_CMAKE_DIR})

# Paths in carom.pc are relative to the file itself, so that `cmake --install --prefix` may choose any place.
set(CAROM_PC_DIR ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH CAROM_PC_PREFIX ${CAROM_PC_DIR} ${CMAKE_INSTALL_PREFIX})
file(RELATIVE_PATH CAROM_PC_LIBDIR ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH CAROM_PC_INCLUDEDIR ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
string(REGEX REPLACE "/$" "" CAROM_PC_PREFIX "${CAROM_PC_PREFIX}")
list(TRANSFORM CAROM_SUNDIALS_PARTS PREPEND -lsundials_ OUTPUT_VARIABLE CAROM_PC_SUNDIALS)
if(CAROM_SUNDIALS OR CAROM_KLU)
  list(APPEND CAROM_PC_SUNDIALS -lklu) # which SUNDIALS' targets bring along, but not its libraries
endif()
list(JOIN CAROM_PC_SUNDIALS " " CAROM_PC_SUNDIALS)
configure_file(cmake/carom.pc.in carom.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/carom.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
