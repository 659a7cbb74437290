// Two sinks as one. What the first one refuses, the second one does not get; both end what they have begun.
#include "show/record_pair.h"

static crStatus begin(void* context, const crResultDef* def)
{
  crRecordPair* pair = context;
  const crRecordSink *first = pair->first, *second = pair->second;
  crStatus status = first->begin != NULL ? first->begin(first->context, def) : cr_ok;
  if (status != cr_ok) {
    return status;
  }
  status = second->begin != NULL ? second->begin(second->context, def) : cr_ok;
  pair->hasSecond = status == cr_ok;
  if (status != cr_ok && first->end != NULL) {
    (void)first->end(first->context, cr_runFailed, NULL);
  }
  return status;
}

static crStatus addRow(void* context, const crRow* row)
{
  const crRecordPair* pair = context;
  const crRecordSink *first = pair->first, *second = pair->second;
  crStatus status = first->addRow != NULL ? first->addRow(first->context, row) : cr_ok;
  return status == cr_ok && second->addRow != NULL ? second->addRow(second->context, row) : status;
}

static crStatus addSample(void* context, const crContactRecord* sample)
{
  const crRecordPair* pair = context;
  const crRecordSink *first = pair->first, *second = pair->second;
  crStatus status = first->addSample != NULL ? first->addSample(first->context, sample) : cr_ok;
  return status == cr_ok && second->addSample != NULL ? second->addSample(second->context, sample) : status;
}

static crStatus addContact(void* context, const crContactRecord* contact)
{
  const crRecordPair* pair = context;
  const crRecordSink *first = pair->first, *second = pair->second;
  crStatus status = first->addContact != NULL ? first->addContact(first->context, contact) : cr_ok;
  return status == cr_ok && second->addContact != NULL ? second->addContact(second->context, contact) : status;
}

static crStatus addEvent(void* context, double time, const char* kind, const char* text)
{
  const crRecordPair* pair = context;
  const crRecordSink *first = pair->first, *second = pair->second;
  crStatus status = first->addEvent != NULL ? first->addEvent(first->context, time, kind, text) : cr_ok;
  return status == cr_ok && second->addEvent != NULL ? second->addEvent(second->context, time, kind, text) : status;
}

static crStatus end(void* context, crRunEnd how, const char* runJson)
{
  const crRecordPair* pair = context;
  const crRecordSink *first = pair->first, *second = pair->second;
  crStatus status = first->end != NULL ? first->end(first->context, how, runJson) : cr_ok;
  crStatus other = pair->hasSecond && second->end != NULL ? second->end(second->context, how, runJson) : cr_ok;
  return status != cr_ok ? status : other;
}

crRecordSink crRecordPair_GetSink(crRecordPair* pair)
{
  return pair->second == NULL ? *pair->first
                              : (crRecordSink){ .context = pair,
                                                .begin = begin,
                                                .addRow = addRow,
                                                .addSample = addSample,
                                                .addContact = addContact,
                                                .addEvent = addEvent,
                                                .end = end };
}
