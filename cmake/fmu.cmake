# The binary of FMUs: one for all models, as plain as a shared library can be. It holds the core and what reads models,
# for any processor of its kind, with Lua, Jansson, qhull and expat of its own (their sources: scripts/fmu_sources.sh).
# It needs libc and libm, and shows the functions of FMI alone. The tool carries it along (cli/fmu_binary.c).
set(CAROM_FMU_LUA ${CAROM_FMU_SOURCES}/lua5.4/src)
set(CAROM_FMU_JANSSON ${CAROM_FMU_SOURCES}/jansson/src)
set(CAROM_FMU_QHULL ${CAROM_FMU_SOURCES}/qhull/src)
set(CAROM_FMU_EXPAT ${CAROM_FMU_SOURCES}/expat/expat/lib)

set(fmu_options -fPIC -fvisibility=hidden -ffunction-sections -fdata-sections)

# What others wrote, as they wrote it: no warnings.
file(GLOB fmu_lua ${CAROM_FMU_LUA}/l*.c)
list(FILTER fmu_lua EXCLUDE REGEX "/(lua|luac|liolib|loslib|loadlib|linit|ldblib|lcorolib)[.]c$")
file(GLOB fmu_jansson ${CAROM_FMU_JANSSON}/*.c)
file(GLOB fmu_qhull ${CAROM_FMU_QHULL}/libqhull_r/*.c)
set(fmu_expat xmlparse xmlrole xmltok)
list(TRANSFORM fmu_expat REPLACE "(.+)" "${CAROM_FMU_EXPAT}/\\1.c")
add_library(carom_fmu_others OBJECT ${fmu_lua} ${fmu_jansson} ${fmu_qhull} ${fmu_expat})
target_include_directories(carom_fmu_others SYSTEM PRIVATE ${CAROM_FMU_LUA} ${CAROM_FMU_JANSSON} ${CAROM_FMU_QHULL}
  ${PROJECT_BINARY_DIR}/fmu/include)
# What their configure scripts would find out stands below.
foreach(header jansson_private_config expat_config)
  if(NOT EXISTS ${PROJECT_BINARY_DIR}/fmu/include/${header}.h)
    file(WRITE ${PROJECT_BINARY_DIR}/fmu/include/${header}.h "")
  endif()
endforeach()
target_compile_options(carom_fmu_others PRIVATE ${fmu_options} -O2 -w)
target_compile_definitions(carom_fmu_others PRIVATE LUA_COMPAT_5_3 LUA_USE_POSIX _GNU_SOURCE HAVE_STDINT_H HAVE_UNISTD_H
  HAVE_FCNTL_H HAVE_OPEN HAVE_READ HAVE_CLOSE HAVE_LOCALE_H HAVE_LOCALECONV HAVE_STRTOLL
  HAVE_GETTIMEOFDAY HAVE_GETPID HAVE_SCHED_H HAVE_SCHED_YIELD HAVE_ATOMIC_BUILTINS HAVE_SYS_TIME_H HAVE_SYS_TYPES_H USE_URANDOM HAVE_GETRANDOM XML_NS XML_DTD XML_CONTEXT_BYTES=1024 BYTEORDER=1234)

set(fmu_sources ${CAROM_SOURCES_core})
list(FILTER fmu_sources EXCLUDE REGEX "/src/(solve/(ida|cvode|sundials)[.]c$|external/)")
file(GLOB fmu_read CONFIGURE_DEPENDS src/xml/*.c src/text/*.c src/text/*/*.c src/mesh/*.c)
list(FILTER fmu_read EXCLUDE REGEX "/src/mesh/(collider_open|png)[.]c$") # fmu/picture.c is instead of the last
file(GLOB fmu_own CONFIGURE_DEPENDS fmu/*.c)
add_library(carom_fmu MODULE ${fmu_sources} ${fmu_read} ${fmu_own} src/fmu/fmu_variables.c src/fmu/stick_slots.c
  src/foreign/without_foreign.c
  $<TARGET_OBJECTS:carom_fmu_others>)
target_include_directories(carom_fmu PRIVATE include src fmu)
target_include_directories(carom_fmu SYSTEM PRIVATE ${CAROM_FMU_LUA} ${CAROM_FMU_QHULL})
target_compile_options(carom_fmu PRIVATE ${fmu_options} -UCAROM_SUNDIALS) # which is set for some sources
target_link_libraries(carom_fmu PRIVATE carom_plain_flags m)
set_target_properties(carom_fmu PROPERTIES PREFIX "" OUTPUT_NAME carom SUFFIX ".so"
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fmu LINK_DEPENDS ${PROJECT_SOURCE_DIR}/fmu/exports.map)
target_link_options(carom_fmu PRIVATE LINKER:--version-script=${PROJECT_SOURCE_DIR}/fmu/exports.map LINKER:-Bsymbolic
  LINKER:--gc-sections LINKER:--exclude-libs,ALL LINKER:-z,now LINKER:--build-id=none)
if(NOT CMAKE_C_FLAGS MATCHES "-fsanitize") # whose names come with the program
  target_link_options(carom_fmu PRIVATE LINKER:--no-undefined)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  target_link_options(carom_fmu PRIVATE LINKER:--strip-all)
endif()

# What all of these ask to be kept with copies of them.
set(CAROM_FMU_LICENSE ${PROJECT_BINARY_DIR}/fmu/license.txt)
set(fmu_license "")
foreach(part "Carom:${PROJECT_SOURCE_DIR}/LICENSE" "Lua:${CAROM_FMU_SOURCES}/lua5.4/debian/copyright"
    "Jansson:${CAROM_FMU_SOURCES}/jansson/LICENSE" "Qhull:${CAROM_FMU_SOURCES}/qhull/COPYING.txt"
    "Expat:${CAROM_FMU_SOURCES}/expat/COPYING")
  string(REGEX MATCH "^([^:]+):(.+)$" part "${part}")
  set(title ${CMAKE_MATCH_1})
  if(EXISTS ${CMAKE_MATCH_2})
    file(READ ${CMAKE_MATCH_2} text)
    string(APPEND fmu_license "==== ${title}\n\n${text}\n\n")
  endif()
endforeach()
set(fmu_license_before "")
if(EXISTS ${CAROM_FMU_LICENSE})
  file(READ ${CAROM_FMU_LICENSE} fmu_license_before)
endif()
if(NOT fmu_license_before STREQUAL fmu_license) # written anew it would be packed anew
  file(WRITE ${CAROM_FMU_LICENSE} "${fmu_license}")
endif()
