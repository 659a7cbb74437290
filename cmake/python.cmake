# The Python package of python/: the shared libraries that it loads, and where it is installed.
#
# A static build makes shared ones for it alone, in build/python, which are installed beside the package.
if(BUILD_SHARED_LIBS)
  set(CAROM_PYTHON_TARGETS carom carom_io carom_show)
else()
  set(CAROM_PYTHON_TARGETS carom_shared carom_io_shared carom_show_shared)
  carom_add_library(carom_shared core SHARED)
  target_link_libraries(carom_shared PUBLIC m)
  carom_add_library(carom_io_shared io SHARED)
  target_link_libraries(carom_io_shared PUBLIC carom_shared)
  carom_add_library(carom_show_shared show SHARED)
  target_link_libraries(carom_show_shared PUBLIC carom_io_shared)
  foreach(part core io show)
    list(POP_FRONT CAROM_PYTHON_TARGETS target)
    list(APPEND CAROM_PYTHON_TARGETS ${target})
    set_target_properties(${target} PROPERTIES
      OUTPUT_NAME ${CAROM_TARGET_${part}} LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/python
      BUILD_RPATH "$ORIGIN" INSTALL_RPATH "$ORIGIN")
  endforeach()
endif()

list(GET CAROM_PYTHON_TARGETS 0 CAROM_PYTHON_LIBRARY)

# Where Debian's python3 looks: below /usr in a folder for all versions, elsewhere in one of its own version.
execute_process(COMMAND /usr/bin/python3 -c "import sys; print('%d.%d' % sys.version_info[:2])"
  OUTPUT_VARIABLE CAROM_PYTHON_VERSION OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT CAROM_PYTHON_VERSION)
  message(STATUS "there is no /usr/bin/python3: its package is not installed")
  return()
endif()
install(CODE "
  set(CAROM_SITE lib/python${CAROM_PYTHON_VERSION}/dist-packages)
  if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")
    set(CAROM_SITE lib/python3/dist-packages)
  endif()")
install(DIRECTORY python/carom DESTINATION "\${CAROM_SITE}" FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi"
  PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
if(NOT BUILD_SHARED_LIBS)
  install(TARGETS ${CAROM_PYTHON_TARGETS} LIBRARY DESTINATION "\${CAROM_SITE}/carom/lib" NAMELINK_SKIP)
endif()
