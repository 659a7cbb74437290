# Manual pages and completions of shells, which the tool writes from the text that --help prints. A tool that is built
# for another machine cannot be asked.
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  message(STATUS "the tool cannot run here: no manual pages and completions")
  return()
endif()
set(CAROM_HELP_PAGES ${PROJECT_BINARY_DIR}/share)
add_custom_command(OUTPUT ${CAROM_HELP_PAGES}/man/man1/carom.1
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${CAROM_HELP_PAGES}
  COMMAND carom_cli help --pages ${CAROM_HELP_PAGES}
  DEPENDS carom_cli COMMENT "Writing manual pages and completions")
add_custom_target(carom_help_pages ALL DEPENDS ${CAROM_HELP_PAGES}/man/man1/carom.1)
install(DIRECTORY ${CAROM_HELP_PAGES}/man/ TYPE MAN)
install(DIRECTORY ${CAROM_HELP_PAGES}/bash-completion ${CAROM_HELP_PAGES}/zsh ${CAROM_HELP_PAGES}/fish TYPE DATA)
