# The libraries behind libcarom, as imported targets PkgConfig::CAROM_<module>; CAROM_MISSING lists the modules that
# were not found. The build and the installed package both read this file: whoever links the static library has to
# find them as well.
find_package(PkgConfig REQUIRED)
set(CAROM_MISSING "")
foreach(module lua5.4 jansson qhull_r)
  pkg_check_modules(CAROM_${module} QUIET IMPORTED_TARGET ${module})
  if(NOT CAROM_${module}_FOUND)
    list(APPEND CAROM_MISSING ${module})
  endif()
endforeach()
