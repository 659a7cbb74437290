# The libraries behind libcarom, as imported targets: PkgConfig::CAROM_<module>; those of SUNDIALS, which has no pkg-config
# file, in CAROM_SUNDIALS_TARGETS, where CAROM_SUNDIALS says that they are used; KLU in CAROM_KLU_TARGET, likewise.
# CAROM_MISSING lists what was not found. The build and the installed package both read this file: whoever links the
# static library has to find them as well.
find_package(PkgConfig REQUIRED)
set(CAROM_MISSING "")
foreach(module lua5.4 jansson qhull_r hdf5-serial zlib cairo)
  pkg_check_modules(CAROM_${module} QUIET IMPORTED_TARGET ${module})
  if(NOT CAROM_${module}_FOUND)
    list(APPEND CAROM_MISSING ${module})
  endif()
endforeach()

set(CAROM_SUNDIALS_TARGETS "")
set(CAROM_SUNDIALS_PARTS "")
if(CAROM_SUNDIALS)
  set(CAROM_SUNDIALS_PARTS ida cvode nvecserial sunmatrixdense sunmatrixsparse sunlinsoldense sunlinsolklu
    sunnonlinsolnewton generic)
  find_package(SUNDIALS 6.4 QUIET CONFIG COMPONENTS ${CAROM_SUNDIALS_PARTS})
  if(SUNDIALS_FOUND)
    list(TRANSFORM CAROM_SUNDIALS_PARTS PREPEND SUNDIALS:: OUTPUT_VARIABLE CAROM_SUNDIALS_TARGETS)
  else()
    list(APPEND CAROM_MISSING SUNDIALS)
  endif()
endif()

set(CAROM_KLU_TARGET "")
if(CAROM_KLU)
  find_path(CAROM_KLU_INCLUDE klu.h PATH_SUFFIXES suitesparse)
  find_library(CAROM_KLU_LIBRARY klu)
  if(CAROM_KLU_INCLUDE AND CAROM_KLU_LIBRARY)
    if(NOT TARGET carom_klu)
      add_library(carom_klu INTERFACE IMPORTED)
      set_target_properties(carom_klu PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES ${CAROM_KLU_INCLUDE} INTERFACE_LINK_LIBRARIES ${CAROM_KLU_LIBRARY})
    endif()
    set(CAROM_KLU_TARGET carom_klu)
  else()
    list(APPEND CAROM_MISSING KLU)
  endif()
endif()
