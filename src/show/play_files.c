// What play pages are made of, as files: the page, the simulator and the licences of what is in it. The assembler puts
// them into the library.
#include "show/play.h"

#include "base/embed.h"

CR_EMBED("crPlayPage", CAROM_PLAY_PAGE);
CR_EMBED("crPlayModule", CAROM_PLAY_MODULE);
CR_EMBED("crPlayLicenses", CAROM_PLAY_LICENSES);

CR_EMBEDDED crPlayPageStart[], crPlayPageEnd[], crPlayModuleStart[], crPlayModuleEnd[], crPlayLicensesStart[],
    crPlayLicensesEnd[];

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
