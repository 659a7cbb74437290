# Lua, Jansson, qhull and expat from their sources (scripts/fmu_sources.sh gets them), for machines whose distribution has
# none: one static library behind the names that pkg-config would give. zlib is the toolchain's.
if(NOT EXISTS ${CAROM_FMU_SOURCES}/complete)
  message(FATAL_ERROR "the sources of Lua, Jansson, qhull and expat are missing: scripts/fmu_sources.sh gets them")
endif()
set(others_lua ${CAROM_FMU_SOURCES}/lua5.4/src)
set(others_jansson ${CAROM_FMU_SOURCES}/jansson/src)
set(others_qhull ${CAROM_FMU_SOURCES}/qhull/src)
set(others_expat ${CAROM_FMU_SOURCES}/expat/expat/lib)
set(others_include ${PROJECT_BINARY_DIR}/others)

# What their configure scripts would find out stands below.
foreach(header jansson_private_config expat_config)
  file(CONFIGURE OUTPUT ${others_include}/${header}.h CONTENT "")
endforeach()
file(CONFIGURE OUTPUT ${others_include}/lua5.4-deb-multiarch.h CONTENT "#define DEB_HOST_MULTIARCH \"\"\n") # Debian's own
file(CONFIGURE OUTPUT ${others_include}/jansson_config.h CONTENT "#define JSON_INLINE inline
#define JSON_INTEGER_IS_LONG_LONG 1
#define JSON_HAVE_LOCALECONV 1
#define JSON_HAVE_ATOMIC_BUILTINS 1
#define JSON_HAVE_SYNC_BUILTINS 1
#define JSON_PARSER_MAX_DEPTH 2048
")
file(GLOB others_sources ${others_lua}/l*.c ${others_jansson}/*.c ${others_qhull}/libqhull_r/*.c)
list(FILTER others_sources EXCLUDE REGEX "/(lua|luac|liolib|loslib|loadlib|linit|ldblib|lcorolib)[.]c$")
list(APPEND others_sources ${others_expat}/xmlparse.c ${others_expat}/xmlrole.c ${others_expat}/xmltok.c)
add_library(carom_others STATIC ${others_sources})
target_include_directories(carom_others SYSTEM PUBLIC
  ${others_lua} ${others_jansson} ${others_qhull} ${others_expat} ${others_include})
target_compile_options(carom_others PRIVATE -O2 -w -ffp-contract=off)
target_compile_definitions(carom_others PUBLIC XML_STATIC PRIVATE LUA_COMPAT_5_3 HAVE_STDINT_H HAVE_LOCALE_H HAVE_LOCALECONV
  HAVE_STRTOLL HAVE_SYS_TYPES_H HAVE_ATOMIC_BUILTINS XML_NS XML_DTD XML_CONTEXT_BYTES=1024 BYTEORDER=1234)

set(CMAKE_FIND_LIBRARY_SUFFIXES .a) # no library beside the program
find_package(ZLIB REQUIRED)
foreach(module lua5.4 jansson expat qhull_r)
  add_library(PkgConfig::CAROM_${module} INTERFACE IMPORTED)
  target_link_libraries(PkgConfig::CAROM_${module} INTERFACE carom_others)
endforeach()
add_library(PkgConfig::CAROM_zlib INTERFACE IMPORTED)
target_link_libraries(PkgConfig::CAROM_zlib INTERFACE ZLIB::ZLIB)
