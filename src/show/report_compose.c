// The description of a run and its numbers, as pages take them: docs/report_format.md. The description refers to the
// numbers by their places, so both are composed together, into memory.
#include "show/report.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CR_REPORT_FORMAT 1
#define CR_DATA_LIMIT ((size_t)20 * 1000 * 1000) // [bytes] files of this size open in a moment and pass as attachments
#define CR_CONTACT_LIMIT 20000                   // a table of more entries is not read by anyone

crReportOptions crDefaultReportOptions(void)
{
  crReportOptions options = { .size = sizeof options };
  return options;
}

crReportOptions crCompleteReportOptions(const crReportOptions* options)
{
  crReportOptions chosen = options != NULL ? *options : crDefaultReportOptions();
  chosen.dataLimit = chosen.dataLimit == 0 ? CR_DATA_LIMIT : chosen.dataLimit;
  chosen.maxContacts = chosen.maxContacts == 0 ? CR_CONTACT_LIMIT : chosen.maxContacts > 0 ? chosen.maxContacts : 0;
  return chosen;
}

// --------------------------------------------------------------------------------------------- text

// Adds JSON to bytes. '<' is escaped: inside a page it could end the element or begin another one. In JSON it stands
// in strings only.
static void appendEscaped(void* context, const char* bytes, size_t size)
{
  static const char escape[] = "\\u003c";
  const char* end = bytes + size;
  while (bytes < end) {
    const char* found = memchr(bytes, '<', (size_t)(end - bytes));
    crBytes_Add(context, bytes, (size_t)((found != NULL ? found : end) - bytes));
    if (found != NULL) {
      crBytes_Add(context, escape, sizeof escape - 1);
    }
    bytes = found != NULL ? found + 1 : end;
  }
}

// ------------------------------------------------------------------------------------------- values

static void putNumber(crJsonText* text, double number)
{
  if (isfinite(number)) {
    crJsonText_Number(text, number);
  } else {
    crJsonText_Null(text);
  }
}

void crPutKeyNumber(crJsonText* text, const char* key, double number)
{
  crJsonText_Key(text, key);
  putNumber(text, number);
}

size_t crReportWriting_CountNumbers(const crReportWriting* writing)
{
  return writing->data->size / sizeof(float);
}

void crPutBlock(crReportWriting* writing, const char* key, size_t first)
{
  crJsonText_Key(writing->text, key);
  crJsonText_BeginArray(writing->text);
  crJsonText_Number(writing->text, (double)first);
  crJsonText_Number(writing->text, (double)(crReportWriting_CountNumbers(writing) - first));
  crJsonText_EndArray(writing->text);
}

void crPutNumbers(crJsonText* text, const char* key, const double* numbers, int count)
{
  crJsonText_Key(text, key);
  crJsonText_BeginArray(text);
  for (int i = 0; i < count; ++i) {
    putNumber(text, numbers[i]);
  }
  crJsonText_EndArray(text);
}

void crPutVec3(crJsonText* text, const char* key, crVec3 vector)
{
  const double numbers[] = { vector.x, vector.y, vector.z };
  crPutNumbers(text, key, numbers, 3);
}

void crPutPose(crJsonText* text, const char* key, crPose pose)
{
  crQuat q = crMat3ToQuat(pose.R);
  const double numbers[] = { pose.p.x, pose.p.y, pose.p.z, q.w, q.x, q.y, q.z };
  crPutNumbers(text, key, numbers, CR_POSE_SIZE);
}

// -------------------------------------------------------------------------------------- description

// Every k-th row, and the last one: what a run ends with is what it was made for.
static int countKeptRows(int rowCount, int every)
{
  return rowCount > 0 ? (rowCount - 1 + every - 1) / every + 1 : 0;
}

int crReportWriting_GetRow(const crReportWriting* writing, int index)
{
  int last = crResult_CountRows(writing->picture->result) - 1;
  return index < writing->rowCount - 1 ? index * writing->every : last;
}

void crReportWriting_AddNote(crReportWriting* writing, const char* note)
{
  char* text = writing->facts->note;
  size_t used = strlen(text);
  snprintf(text + used, sizeof writing->facts->note - used, "%s%s", used > 0 ? "; " : "", note);
}

// The name of the report, or of a result that is shown over it.
static void writeTitle(crReportWriting* writing, const char* given)
{
  char title[256];
  size_t size;
  const char* name = crFindFileName(crResult_GetFacts(writing->picture->result).modelName, false, &size);
  while (size >= sizeof title || (size > 0 && !crIsUtf8(name, size))) {
    --size;
  }
  snprintf(title, sizeof title, "%.*s", (int)size, name);
  crJsonText_KeyString(writing->text, "title", given != NULL ? given : title);
}

static void writeTimes(crReportWriting* writing)
{
  const crResult* result = writing->picture->result;
  const double* times = crResult_GetTimes(result);
  double origin = writing->rowCount > 0 ? times[0] : 0.0;
  size_t first = crReportWriting_CountNumbers(writing);
  for (int i = 0; i < writing->rowCount; ++i) {
    crBytes_AddFloat(writing->data, times[crReportWriting_GetRow(writing, i)] - origin);
  }
  crJsonText_Key(writing->text, "time");
  crJsonText_BeginObject(writing->text);
  crJsonText_KeyNumber(writing->text, "origin", origin);
  crPutBlock(writing, "values", first);
  crJsonText_EndObject(writing->text);
  crJsonText_Key(writing->text, "thinned");
  crJsonText_BeginObject(writing->text);
  crJsonText_KeyNumber(writing->text, "every", writing->every);
  crJsonText_KeyNumber(writing->text, "rows", crResult_CountRows(result));
  crJsonText_EndObject(writing->text);
}

// What moves, what was recorded, what touched: all but tables of facts.
static crStatus writeRun(crReportWriting* writing, const char* title)
{
  writeTitle(writing, title);
  writeTimes(writing);
  crStatus status = crWriteReportScene(writing);
  if (status != cr_ok) {
    return status;
  }
  crWriteReportBodies(writing);
  crWriteReportVariables(writing);
  return crWriteReportContacts(writing);
}

// Results over this one, each of which is thinned as much as it.
static crStatus writeOthers(const crReportWriting* writing, const crPicture* pictures)
{
  crStatus status = cr_ok;
  crJsonText_Key(writing->text, "others");
  crJsonText_BeginArrayLines(writing->text);
  for (int i = 0; i < writing->options->otherCount && status == cr_ok; ++i) {
    crReportWriting other = *writing;
    other.picture = &pictures[i];
    other.rowCount = countKeptRows(crResult_CountRows(pictures[i].result), writing->every);
    crJsonText_BeginObject(writing->text);
    status = writeRun(&other, writing->options->others[i].name);
    crJsonText_EndObject(writing->text);
  }
  crJsonText_EndArray(writing->text);
  return status;
}

static void writePaths(crJsonText* text, const char* key, const char* const* paths, int count)
{
  crJsonText_Key(text, key);
  crJsonText_BeginArrayLines(text);
  for (int i = 0; i < count; ++i) {
    crJsonText_String(text, paths[i]);
  }
  crJsonText_EndArray(text);
}

// In which order rows have bodies, and what numbers of objects stand for.
static void writeLive(crJsonText* text, const crResultDef* def)
{
  crJsonText_Key(text, "live");
  crJsonText_BeginObject(text);
  writePaths(text, "bodies", def->bodies, def->bodyCount);
  writePaths(text, "objects", def->objects, def->objectCount);
  crJsonText_EndObject(text);
}

// pictures: that of the result, then those of the others.
static crStatus writeDescription(crReportWriting* writing, const crPicture* pictures)
{
  crJsonText* text = writing->text;
  crJsonText_BeginObjectLines(text);
  crJsonText_KeyNumber(text, "format", CR_REPORT_FORMAT);
  crJsonText_KeyString(text, "generator", "carom " CAROM_VERSION);
  if (writing->options->name != NULL) {
    crJsonText_KeyString(text, "name", writing->options->name);
  }
  if (writing->live != NULL) {
    writeLive(text, writing->live);
  }
  crStatus status = writeRun(writing, writing->options->title);
  if (status == cr_ok && writing->options->otherCount > 0) {
    status = writeOthers(writing, pictures + 1);
  }
  if (status != cr_ok) {
    return status;
  }
  crWriteReportFacts(writing);
  crJsonText_EndObject(text);
  crJsonText_Finish(text);
  return cr_ok;
}

// ------------------------------------------------------------------------------------------ composing

crStatus crComposeReport(const crPicture* pictures, const crReportOptions* options, int every, crReportFacts* facts,
                         const crResultDef* live, crBytes* description, crBytes* data)
{
  crJsonText text;
  crJsonText_Init(&text, (crTextWriter){ appendEscaped, description });
  facts->every = every;
  snprintf(facts->note, sizeof facts->note, "%s", pictures[0].note);
  crReportWriting writing = { .picture = &pictures[0],
                              .options = options,
                              .text = &text,
                              .data = data,
                              .every = every,
                              .rowCount = countKeptRows(crResult_CountRows(pictures[0].result), every),
                              .facts = facts,
                              .live = live };
  crStatus status = writeDescription(&writing, pictures);
  return status == cr_ok && (description->hasFailed || data->hasFailed) ? cr_errorMemory : status;
}
