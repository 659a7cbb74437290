# The libraries behind libcarom, as imported targets PkgConfig::CAROM_<module> and those of SUNDIALS, which has no
# pkg-config file, in CAROM_SUNDIALS; CAROM_MISSING lists what was not found. The build and the installed package both read this file: whoever links the static library has to
# find them as well.
find_package(PkgConfig REQUIRED)
set(CAROM_MISSING "")
foreach(module lua5.4 jansson qhull_r hdf5-serial zlib cairo)
  pkg_check_modules(CAROM_${module} QUIET IMPORTED_TARGET ${module})
  if(NOT CAROM_${module}_FOUND)
    list(APPEND CAROM_MISSING ${module})
  endif()
endforeach()

set(CAROM_SUNDIALS_PARTS ida cvode arkode nvecserial sunmatrixdense sunmatrixsparse sunlinsoldense sunlinsolklu
  sunnonlinsolnewton sunnonlinsolfixedpoint generic)
find_package(SUNDIALS 6.4 QUIET CONFIG COMPONENTS ${CAROM_SUNDIALS_PARTS})
if(SUNDIALS_FOUND)
  list(TRANSFORM CAROM_SUNDIALS_PARTS PREPEND SUNDIALS:: OUTPUT_VARIABLE CAROM_SUNDIALS)
else()
  list(APPEND CAROM_MISSING SUNDIALS)
endif()
