# The three libraries: the folders of src/ that each is made of, its public headers, and what it stands on. A file may
# include what its own library or one before it has; scripts/check_layers.sh reads this table.
set(CAROM_FOLDERS_core base math geometry joint solve collide record scene model contact island sim external)
set(CAROM_FOLDERS_io xml foreign text mesh result sweep fmu)
set(CAROM_FOLDERS_show show)
set(CAROM_HEADERS_io io result sweep fit fmu) # all others are the core's
set(CAROM_HEADERS_show show live plot report run)

set(CAROM_PARTS core)
if(CAROM_IO)
  list(APPEND CAROM_PARTS io)
endif()
if(CAROM_SHOW)
  list(APPEND CAROM_PARTS show)
endif()

file(GLOB CAROM_STRAY RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS src/*.c src/*/*.c src/*/*/*.c)
foreach(folder ${CAROM_FOLDERS_core} ${CAROM_FOLDERS_io} ${CAROM_FOLDERS_show})
  list(FILTER CAROM_STRAY EXCLUDE REGEX "^src/${folder}/")
endforeach()
if(CAROM_STRAY)
  message(FATAL_ERROR "these belong to no library, see cmake/libraries.cmake: ${CAROM_STRAY}")
endif()

# What can be left out: the sources that need it, and without_NAME.c, which says so where it is asked for.
set(CAROM_POSIX TRUE)
if(WIN32)
  set(CAROM_POSIX FALSE)
endif()
set(CAROM_NEED_HDF5 "/src/result/(band|chunk_reader|commit_file|commit_pages|contact_reader|contact_record|contact_writer|hdf5|layout|mesh_record|peek|reopen|result_file|result_reader|result_writer)[.]c$|/src/sweep/shard_(reader|writer)[.]c$")
set(CAROM_NEED_ZIP "/src/fmu/archive[.]c$")
set(CAROM_FOREIGN FALSE) # FMUs of others are unpacked and loaded
if(CAROM_ZIP AND CAROM_POSIX)
  set(CAROM_FOREIGN TRUE)
endif()
set(CAROM_NEED_FOREIGN "/src/foreign/fmu_[a-z]+[.]c$")
set(CAROM_NEED_CAIRO "/src/show/(canvas|fit_picture|plot|sweep_draw|sweep_plot)[.]c$")
set(CAROM_NEED_POSIX "/src/show/(browser|live|live_log|photo|process)[.]c$")

set(CAROM_SOURCES "")
foreach(part ${CAROM_PARTS})
  list(TRANSFORM CAROM_FOLDERS_${part} REPLACE "(.+)" "src/\\1/*.c;src/\\1/*/*.c" OUTPUT_VARIABLE patterns)
  file(GLOB CAROM_SOURCES_${part} CONFIGURE_DEPENDS ${patterns})
  if(NOT CAROM_SUNDIALS)
    list(FILTER CAROM_SOURCES_${part} EXCLUDE REGEX "/src/solve/(ida|cvode|sundials)[.]c$")
  endif()
  foreach(name HDF5 ZIP CAIRO POSIX FOREIGN)
    if(CAROM_${name})
      string(TOLOWER "/without_${name}[.]c$" left_out)
    else()
      set(left_out "${CAROM_NEED_${name}}")
    endif()
    list(FILTER CAROM_SOURCES_${part} EXCLUDE REGEX "${left_out}")
  endforeach()
  list(APPEND CAROM_SOURCES ${CAROM_SOURCES_${part}})
endforeach()
if(CAROM_SUNDIALS)
  set_source_files_properties(src/solve/solver.c src/solve/solver_kind.c PROPERTIES COMPILE_DEFINITIONS CAROM_SUNDIALS)
endif()
# GCC before 12.3 makes one operation of a product and a sum in spite of -ffp-contract=off where its vectorizer of
# straight code sees a - b and c + d side by side (its bug 107647): bits then depend on the machine. These have such
# places; scripts/check_fused.sh looks for others.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_C_COMPILER_VERSION VERSION_LESS 12.3)
  set_source_files_properties(src/joint/joint_kind.c src/collide/area/fan.c src/collide/area/roof.c src/geometry/involute_gear.c
    src/geometry/profile.c src/geometry/profile_make.c src/text/robot/mjcf.c src/text/robot/mjcf_geom.c
    src/text/robot/mjcf_beside.c PROPERTIES COMPILE_OPTIONS -fno-tree-slp-vectorize)
endif()
# KLU by itself, where a source that is built without SUNDIALS uses it
set(CAROM_KLU OFF)
foreach(source ${CAROM_SOURCES})
  file(STRINGS ${source} CAROM_KLU_LINE REGEX "^#include <klu[.]h>" LIMIT_COUNT 1)
  if(CAROM_KLU_LINE)
    set(CAROM_KLU ON)
  endif()
endforeach()
# The page of reports, bundled from viewer/src and committed: building needs no npm. report_page.c takes it in.
set(CAROM_REPORT_PAGE ${PROJECT_SOURCE_DIR}/viewer/dist/report.html)
set(CAROM_SWEEP_PAGE ${PROJECT_SOURCE_DIR}/viewer/sweep/sweep.html) # written by hand
set_source_files_properties(src/show/report_page.c PROPERTIES
  COMPILE_DEFINITIONS "CAROM_REPORT_PAGE=\"${CAROM_REPORT_PAGE}\";CAROM_SWEEP_PAGE=\"${CAROM_SWEEP_PAGE}\""
  OBJECT_DEPENDS "${CAROM_REPORT_PAGE};${CAROM_SWEEP_PAGE}")

# The page that simulates, likewise, with the simulator for it, which scripts/wasm.sh builds.
set(CAROM_PLAY_PAGE ${PROJECT_SOURCE_DIR}/viewer/dist/play.html)
set(CAROM_PLAY_MODULE ${PROJECT_SOURCE_DIR}/wasm/carom.wasm.gz)
set(CAROM_PLAY_LICENSES ${PROJECT_SOURCE_DIR}/wasm/LICENSES.txt)
set_source_files_properties(src/show/play_files.c PROPERTIES
  COMPILE_DEFINITIONS "CAROM_PLAY_PAGE=\"${CAROM_PLAY_PAGE}\";CAROM_PLAY_MODULE=\"${CAROM_PLAY_MODULE}\";CAROM_PLAY_LICENSES=\"${CAROM_PLAY_LICENSES}\""
  OBJECT_DEPENDS "${CAROM_PLAY_PAGE};${CAROM_PLAY_MODULE};${CAROM_PLAY_LICENSES}")

if(CAROM_OTHERS)
  include(cmake/others.cmake)
endif()
include(cmake/caromDependencies.cmake)
set(CAROM_LIBRARIES "")
set(CAROM_MISSING "")
foreach(part ${CAROM_PARTS})
  list(APPEND CAROM_LIBRARIES ${CAROM_LIBRARIES_${part}})
  list(APPEND CAROM_MISSING ${CAROM_MISSING_${part}})
endforeach()
list(REMOVE_DUPLICATES CAROM_LIBRARIES)
list(REMOVE_DUPLICATES CAROM_MISSING)
if(CAROM_MISSING)
  message(FATAL_ERROR "these libraries were not found: ${CAROM_MISSING}. scripts/setup.sh installs what Carom needs."
    " -DCAROM_SUNDIALS=OFF does without SUNDIALS, -DCAROM_SHOW=OFF without cairo, -DCAROM_IO=OFF builds the core alone.")
endif()

# carom_add_library(TARGET PART [SHARED]): hidden names also in static libraries, so that what a program makes of them, an
# FMU or a module of another language, does not export ours; and so that position independent code costs nothing.
function(carom_add_library target part)
  set(shared ${BUILD_SHARED_LIBS})
  if(ARGC GREATER 2)
    set(shared ON)
  endif()
  add_library(${target} ${ARGN} ${CAROM_SOURCES_${part}})
  target_include_directories(${target}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:carom_flags> ${CAROM_LIBRARIES_${part}})
  set_target_properties(${target} PROPERTIES
    POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  if(shared)
    target_compile_definitions(${target} PRIVATE CAROM_SHARED)
    target_compile_options(${target} PRIVATE -fno-semantic-interposition)
    if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT CMAKE_C_FLAGS MATCHES "-fsanitize") # whose names come with the program
      target_link_options(${target} PRIVATE LINKER:--no-undefined)
    endif()
  endif()
endfunction()

carom_add_library(carom core)
add_library(carom::carom ALIAS carom)
target_link_libraries(carom PUBLIC m) # the inline functions of carom/math.h
if(CAROM_IO)
  carom_add_library(carom_io io)
  add_library(carom::io ALIAS carom_io)
  set_target_properties(carom_io PROPERTIES EXPORT_NAME io)
  target_link_libraries(carom_io PUBLIC carom)
endif()
if(CAROM_SHOW)
  carom_add_library(carom_show show)
  add_library(carom::show ALIAS carom_show)
  set_target_properties(carom_show PROPERTIES EXPORT_NAME show)
  target_link_libraries(carom_show PUBLIC carom_io)
endif()

# carom_inside: all three for those who look inside, which are the tests and the tool. Shared ones show only their public
# names, so there it is a static library of the same objects.
if(CAROM_SHOW AND BUILD_SHARED_LIBS)
  add_library(carom_inside STATIC EXCLUDE_FROM_ALL
    $<TARGET_OBJECTS:carom_show> $<TARGET_OBJECTS:carom_io> $<TARGET_OBJECTS:carom>)
  set_target_properties(carom_inside PROPERTIES LINKER_LANGUAGE C)
  target_include_directories(carom_inside INTERFACE ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(carom_inside PUBLIC ${CAROM_LIBRARIES} m)
elseif(CAROM_SHOW)
  add_library(carom_inside INTERFACE)
  target_link_libraries(carom_inside INTERFACE carom_show carom_io carom)
endif()
