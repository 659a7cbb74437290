// Contacts in a result: that they begin and end, and what they are at output rows.
#include "result/result_writer.h"

#include <math.h>
#include <string.h>

static crStatus checkObjects(const crResultWriter* writer, const crContactRecord* record)
{
  if (writer->objectCount == 0) {
    return crResultWriter_Report(writer, cr_errorMisuse, "this result was made without objects, so without contacts",
                                 NULL);
  }
  bool isInside = record->objectA >= 0 && record->objectA < writer->objectCount && record->objectB >= 0 &&
                  record->objectB < writer->objectCount;
  return isInside
             ? cr_ok
             : crResultWriter_Report(writer, cr_errorMisuse, "a contact names an object that does not exist", NULL);
}

crStatus crResultWriter_AddContact(crResultWriter* writer, const crContactRecord* record)
{
  if (writer == NULL || record == NULL) {
    return cr_errorMisuse;
  }
  crStatus status = checkObjects(writer, record);
  if (status != cr_ok) {
    return status;
  }
  if (!isfinite(record->time)) {
    return crResultWriter_Report(writer, cr_errorMisuse, "the time of a contact is not a finite number", NULL);
  }
  if (record->phase != cr_contactBegin && record->phase != cr_contactEnd && record->phase != cr_contactLast) {
    return crResultWriter_Report(writer, cr_errorMisuse, "a contact neither begins nor ends", NULL);
  }
  crStoredContact stored = crPackContact(record);
  status = crResultWriter_AddRecord(writer, cr_bandContacts, &stored, "a result cannot have more contacts than 2^30");
  return status == cr_ok ? crResultWriter_FlushIfDue(writer) : status;
}

crStatus crResultWriter_AddContactSample(crResultWriter* writer, const crContactRecord* sample)
{
  if (writer == NULL || sample == NULL) {
    return cr_errorMisuse;
  }
  crStatus status = checkObjects(writer, sample);
  if (status != cr_ok) {
    return status;
  }
  int rowCount = crBand_CountRows(&writer->bands[cr_bandTimes]);
  if (rowCount == 0) {
    return crResultWriter_Report(writer, cr_errorMisuse, "a contact is sampled before the first row", NULL);
  }
  if (sample->cornerCount < 0 || sample->cornerCount > CR_PATCH_CORNERS ||
      (sample->cornerCount > 0 && sample->corners == NULL)) {
    return crResultWriter_Report(writer, cr_errorMisuse, "a patch has no corners, or too many", NULL);
  }
  crStoredSample stored = crPackSample(sample, rowCount - 1);
  status = crResultWriter_AddRecord(writer, cr_bandSamples, &stored, "a result cannot have more samples than 2^30");
  for (int i = 0; i < sample->cornerCount && status == cr_ok; ++i) {
    status = crResultWriter_AddRecord(writer, cr_bandCorners, &sample->corners[i],
                                      "a result cannot have more corners of patches than 2^30");
  }
  return status;
}
