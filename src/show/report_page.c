// The page of reports, viewer/dist/report.html, and that of sweeps, viewer/sweep/sweep.html, as they are: the assembler
// puts the files into the library.
#include "show/report.h"

#ifdef __APPLE__
#define CR_SECTION ".section __DATA,__const\n"
#define CR_SYMBOL(name) ".private_extern _" name "\n_" name ":\n"
#define CR_SECTION_END ".text\n"
#else
#define CR_SECTION ".section .rodata\n"
#define CR_SYMBOL(name) ".globl " name "\n.hidden " name "\n" name ":\n"
#define CR_SECTION_END ".previous\n"
#endif

__asm__(CR_SECTION CR_SYMBOL("crReportPageStart") ".incbin \"" CAROM_REPORT_PAGE
                                                  "\"\n" CR_SYMBOL("crReportPageEnd") ".byte 0\n" CR_SECTION_END);

__asm__(CR_SECTION CR_SYMBOL("crSweepPageStart") ".incbin \"" CAROM_SWEEP_PAGE
                                                 "\"\n" CR_SYMBOL("crSweepPageEnd") ".byte 0\n" CR_SECTION_END);

__attribute__((visibility("hidden"))) extern const char crReportPageStart[], crReportPageEnd[];
__attribute__((visibility("hidden"))) extern const char crSweepPageStart[], crSweepPageEnd[];

const char* crGetReportPage(size_t* outSize)
{
  *outSize = (size_t)((uintptr_t)crReportPageEnd - (uintptr_t)crReportPageStart);
  return crReportPageStart;
}

const char* crGetSweepPage(size_t* outSize)
{
  *outSize = (size_t)((uintptr_t)crSweepPageEnd - (uintptr_t)crSweepPageStart);
  return crSweepPageStart;
}
