// What play pages are made of, as files: the page, the simulator and the licences of what is in it. The assembler puts
// them into the library.
#include "show/play.h"

#ifdef __APPLE__
#define CR_SECTION ".section __DATA,__const\n"
#define CR_SYMBOL(name) ".private_extern _" name "\n_" name ":\n"
#define CR_SECTION_END ".text\n"
#else
#define CR_SECTION ".section .rodata\n"
#define CR_SYMBOL(name) ".globl " name "\n.hidden " name "\n" name ":\n"
#define CR_SECTION_END ".previous\n"
#endif
#define CR_FILE(name, file)                                                                                            \
  __asm__(CR_SECTION CR_SYMBOL(name "Start") ".incbin \"" file "\"\n" CR_SYMBOL(name "End") ".byte "                   \
                                                                                            "0\n" CR_SECTION_END)

CR_FILE("crPlayPage", CAROM_PLAY_PAGE);
CR_FILE("crPlayModule", CAROM_PLAY_MODULE);
CR_FILE("crPlayLicenses", CAROM_PLAY_LICENSES);

__attribute__((visibility("hidden"))) extern const char crPlayPageStart[], crPlayPageEnd[], crPlayModuleStart[],
    crPlayModuleEnd[], crPlayLicensesStart[], crPlayLicensesEnd[];

static crPlayFile makeFile(const char* start, const char* end)
{
  return (crPlayFile){ start, (size_t)((uintptr_t)end - (uintptr_t)start) };
}

crPlayFile crGetPlayPage(void)
{
  return makeFile(crPlayPageStart, crPlayPageEnd);
}

crPlayFile crGetPlayModule(void)
{
  return makeFile(crPlayModuleStart, crPlayModuleEnd);
}

crPlayFile crGetPlayLicenses(void)
{
  return makeFile(crPlayLicensesStart, crPlayLicensesEnd);
}
