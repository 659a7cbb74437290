// Reading Lua models from text in tests.
#include "support/lua.h"

#include "support/test.h"

#include <string.h>

crTestModel crTestModel_Read(const char* text, const crReadOptions* options)
{
  crTestModel model = { .log = crCreateErrorLog(NULL) };
  assert_non_null(model.log);
  model.sink = crErrorLog_GetSink(model.log);
  model.status = crReadLua(text, strlen(text), "model.lua", NULL, options, NULL, &model.sink, &model.scene);
  return model;
}

void crTestModel_Free(crTestModel* model)
{
  crDestroyScene(model->scene);
  crDestroyErrorLog(model->log);
}

static void printMessages(const crErrorLog* log)
{
  for (int i = 0; i < crErrorLog_Count(log) && i < 20; ++i) {
    char text[2048];
    crError_Format(crErrorLog_Get(log, i), text, sizeof text);
    print_error("%s\n", text);
  }
}

crTestModel crTestModel_ReadGood(const char* text)
{
  crTestModel model = crTestModel_Read(text, NULL);
  if (model.status != cr_ok || crErrorLog_CountOf(model.log, cr_severityWarning) > 0) {
    printMessages(model.log);
  }
  assert_int_equal(model.status, cr_ok);
  assert_int_equal(crErrorLog_CountOf(model.log, cr_severityWarning), 0);
  assert_non_null(model.scene);
  return model;
}

static bool findText(const crErrorLog* log, const char* text)
{
  for (int i = 0; i < crErrorLog_Count(log); ++i) {
    char message[8192];
    crError_Format(crErrorLog_Get(log, i), message, sizeof message);
    if (strstr(message, text) != NULL) {
      return true;
    }
  }
  return false;
}

bool crTestModel_Says(const crTestModel* model, const char* text)
{
  bool found = findText(model->log, text);
  if (!found) {
    print_error("no message holds \"%s\":\n", text);
    printMessages(model->log);
  }
  return found;
}

void crAssertReads(const char* text, const crReadOptions* options, crStatus status, const char* says, const char* file,
                   int line)
{
  crTestModel model = crTestModel_Read(text, options);
  if (model.status != status) {
    print_error("%.2000s gave '%s'\n", text, crStatus_GetText(model.status));
    printMessages(model.log);
  }
  _assert_int_equal((int)model.status, (int)status, file, line);
  if (says != NULL) {
    _assert_true(crTestModel_Says(&model, says), "says", file, line);
  }
  crTestModel_Free(&model);
}
