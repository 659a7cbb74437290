// Runs a model into a folder with results and report, as `carom run MODEL --out FOLDER` does.
#include <carom/show.h>
#include <stdio.h>

int main(int argc, char** argv)
{
  crRunFacts facts;
  crRunDef def = { .size = sizeof def, .file = argc > 1 ? argv[1] : NULL, .folder = argc > 2 ? argv[2] : NULL };
  crStatus status = crRunModel(&def, NULL, NULL, &facts);
  printf("%s: %d rows, %s/report.html\n", crStatus_GetText(status), facts.summary.outputCount, facts.folder);
  return status == cr_ok ? 0 : 1;
}
