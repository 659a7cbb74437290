# The libraries of others behind ours, for each part (core, io, show) that CAROM_PARTS names: as targets in
# CAROM_LIBRARIES_<part>, and those that were not found in CAROM_MISSING_<part>. CAROM_SUNDIALS and CAROM_KLU say whether
# the core uses them. The build and the installed package both read this file: whoever links the static libraries has to
# find them as well.
find_package(PkgConfig REQUIRED)
set(CAROM_MODULES_core qhull_r)
set(CAROM_MODULES_io lua5.4 jansson expat hdf5-serial zlib libzip)
set(CAROM_MODULES_show cairo jansson zlib)
foreach(part ${CAROM_PARTS})
  set(CAROM_LIBRARIES_${part} "")
  set(CAROM_MISSING_${part} "")
  foreach(module ${CAROM_MODULES_${part}})
    pkg_check_modules(CAROM_${module} QUIET IMPORTED_TARGET ${module})
    if(CAROM_${module}_FOUND)
      list(APPEND CAROM_LIBRARIES_${part} PkgConfig::CAROM_${module})
    else()
      list(APPEND CAROM_MISSING_${part} ${module})
    endif()
  endforeach()
endforeach()

# FMUs of others are loaded.
list(FIND CAROM_PARTS io CAROM_HAS_IO)
if(NOT CAROM_HAS_IO EQUAL -1)
  list(APPEND CAROM_LIBRARIES_io ${CMAKE_DL_LIBS})
endif()

# SUNDIALS has no file for pkg-config.
set(CAROM_SUNDIALS_PARTS "")
if(CAROM_SUNDIALS)
  set(CAROM_SUNDIALS_PARTS ida cvode nvecserial sunmatrixdense sunmatrixsparse sunlinsoldense sunlinsolklu
    sunnonlinsolnewton generic)
  find_package(SUNDIALS 6.4 QUIET CONFIG COMPONENTS ${CAROM_SUNDIALS_PARTS})
  if(SUNDIALS_FOUND)
    list(TRANSFORM CAROM_SUNDIALS_PARTS PREPEND SUNDIALS:: OUTPUT_VARIABLE CAROM_SUNDIALS_TARGETS)
    list(APPEND CAROM_LIBRARIES_core ${CAROM_SUNDIALS_TARGETS})
  else()
    list(APPEND CAROM_MISSING_core SUNDIALS)
  endif()
endif()

if(CAROM_KLU)
  find_path(CAROM_KLU_INCLUDE klu.h PATH_SUFFIXES suitesparse)
  find_library(CAROM_KLU_LIBRARY klu)
  if(CAROM_KLU_INCLUDE AND CAROM_KLU_LIBRARY)
    if(NOT TARGET carom_klu)
      add_library(carom_klu INTERFACE IMPORTED)
      set_target_properties(carom_klu PROPERTIES
        INTERFACE_INCLUDE_DIRECTORIES ${CAROM_KLU_INCLUDE} INTERFACE_LINK_LIBRARIES ${CAROM_KLU_LIBRARY})
    endif()
    list(APPEND CAROM_LIBRARIES_core carom_klu)
  else()
    list(APPEND CAROM_MISSING_core KLU)
  endif()
endif()
