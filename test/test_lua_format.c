// carom fmt: what a model means stays, and laying out twice changes nothing more.
#include "carom/io.h"
#include "support/command.h"
#include "support/folder.h"
#include "support/log.h"
#include "text/lua_token.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Text {
  char* bytes; // (size + 1)
  size_t size;
} Text;

static void add(void* context, const char* bytes, size_t size)
{
  Text* text = context;
  text->bytes = realloc(text->bytes, text->size + size + 1);
  memcpy(text->bytes + text->size, bytes, size);
  text->size += size;
  text->bytes[text->size] = '\0';
}

static Text format(const char* text)
{
  Text out = { NULL, 0 };
  add(&out, "", 0);
  assert_int_equal(crFormatLua(text, strlen(text), "t.lua", NULL, NULL, (crTextWriter){ add, &out }), cr_ok);
  return out;
}

static void assertFormat(const char* text, const char* expected)
{
  Text once = format(text), twice = format(once.bytes);
  assert_string_equal(once.bytes, expected);
  assert_string_equal(twice.bytes, expected);
  free(once.bytes);
  free(twice.bytes);
}

static void assertFault(const char* text, const char* message)
{
  Text out = { NULL, 0 };
  crErrorLog* log = crCreateErrorLog(NULL);
  crErrorSink sink = crErrorLog_GetSink(log);
  assert_int_equal(crFormatLua(text, strlen(text), "t.lua", NULL, &sink, (crTextWriter){ add, &out }), cr_errorSyntax);
  assert_message(log, cr_severityError, message);
  assert_null(out.bytes);
  crDestroyErrorLog(log);
}

static void blocks_and_brackets_indent(void** state)
{
  (void)state;
  assertFormat("if a then\nb()\nelseif c then\nd()\nelse\n e()\n end",
               "if a then\n  b()\nelseif c then\n  d()\nelse\n  e()\nend\n");
  assertFormat("f('x',function(p)\nreturn{\na=1,\n}\nend)\n", "f('x', function(p)\n  return{\n    a = 1,\n  }\nend)\n");
  assertFormat("repeat\nx=x-1\nuntil x<0", "repeat\n  x = x-1\nuntil x<0\n");
  assertFormat("for i=1,3 do\nwhile true do\nbreak\nend end\n",
               "for i = 1, 3 do\n  while true do\n    break\nend end\n");
  assertFormat("do\n-- a comment  \n\t--[[ long\n  one ]]\nend", "do\n  -- a comment\n  --[[ long\n  one ]]\nend\n");
}

static void expressions_that_go_on_are_deeper(void** state)
{
  (void)state;
  assertFormat("local x = a +\nb\nlocal y\n=3\nreturn x,\ny", "local x = a +\n  b\nlocal y\n  = 3\nreturn x,\n  y\n");
  assertFormat("if a and\nb then\nc()\nend", "if a and\n  b then\n  c()\nend\n");
  assertFormat("t = {\n1,\n-2,\n}", "t = {\n  1,\n  -2,\n}\n");
}

static void what_is_lined_up_stays(void** state)
{
  (void)state;
  assertFormat("  solid{ shape = a,\n         visual = b }", "solid{ shape = a,\n       visual = b }\n");
  assertFormat("a   = 1  -- one\nbcd = 2  -- two\n", "a   = 1  -- one\nbcd = 2  -- two\n");
}

static void blanks_are_put_in_order(void** state)
{
  (void)state;
  assertFormat("f ( a ,b ) ;g{}\n\n\n\nh{1,2}  \n\n\n", "f (a, b); g{}\n\nh{ 1, 2 }\n");
  assertFormat("\r\na=1\r\nb=2\r\n", "a = 1\nb = 2\n");
  assertFormat("", "");
  assertFormat("#!/usr/bin/carom   run\nx=1", "#!/usr/bin/carom   run\nx = 1\n");
  assertFormat("\xef\xbb\xbfx=1", "\xef\xbb\xbfx = 1\n");
  assertFormat("local s=[==[\n  kept ]] \n]==]..'a\\\n b'", "local s = [==[\n  kept ]] \n]==]..'a\\\n b'\n");
  assertFormat("x=0x1p-3+3e+5+.5 .. 1", "x = 0x1p-3+3e+5+.5 .. 1\n");
}

static void what_is_no_lua_is_told(void** state)
{
  (void)state;
  assertFault("a = 1\nb = 'x\n", "t.lua:2: error: this is no Lua");
  assertFault("a = [[", "t.lua:1: error: this is no Lua");
  assertFault("--[[ a\n", "t.lua:1: error: this is no Lua");
  assertFault("\n\na = 1 ? 2", "t.lua:3: error: this is no Lua");
  assertFault("f(\n", "t.lua:2: error: brackets or blocks do not match");
  assertFault("end", "t.lua:1: error: brackets or blocks do not match");
  Text out = { NULL, 0 };
  assert_int_equal(crFormatLua(NULL, 1, "t", NULL, NULL, (crTextWriter){ add, &out }), cr_errorMisuse);
  assert_int_equal(crFormatLua("", 0, "t", NULL, NULL, (crTextWriter){ 0 }), cr_errorMisuse);
}

static void a_text_without_memory_says_so(void** state)
{
  (void)state;
  crTestAllocator counter;
  crAllocator allocator = crTestAllocator_Make(&counter);
  crStatus status = cr_errorMemory;
  int failed = 0;
  for (long failAt = 0; status != cr_ok; ++failAt, ++failed) {
    crErrorLog* log = crCreateErrorLog(NULL);
    crErrorSink sink = crErrorLog_GetSink(log);
    Text out = { NULL, 0 };
    counter.callCount = 0;
    counter.failAt = failAt;
    status = crFormatLua("f(  { 1,2 })\n", 13, "t.lua", &allocator, &sink, (crTextWriter){ add, &out });
    if (status != cr_ok) {
      assert_int_equal(status, cr_errorMemory);
      assert_null(out.bytes);
      assert_message(log, cr_severityError, "t.lua: error: out of memory");
    }
    free(out.bytes);
    assert_int_equal(counter.liveBlocks, 0);
    crDestroyErrorLog(log);
  }
  assert_true(failed > 1);
}

// ------------------------------------------------------------------------------------------ examples

static Text writeScene(const char* text, const char* path)
{
  Text out = { NULL, 0 };
  crScene* scene = NULL;
  assert_int_equal(crReadLua(text, strlen(text), path, CAROM_ROOT "/examples", NULL, NULL, NULL, &scene), cr_ok);
  assert_int_equal(crWriteJson(scene, NULL, NULL, (crTextWriter){ add, &out }), cr_ok);
  crDestroyScene(scene);
  return out;
}

static void assertSameTokens(const char* a, const char* b)
{
  const char *aEnd = a + strlen(a), *bEnd = b + strlen(b);
  for (;;) {
    crLuaToken one = crReadLuaToken(a, aEnd), other = crReadLuaToken(b, bEnd);
    assert_int_equal(one.kind, other.kind);
    assert_true(one.kind != cr_luaTokenWrong);
    if (one.kind != cr_luaTokenComment) {
      assert_int_equal(one.size, other.size);
      assert_memory_equal(one.text, other.text, one.size);
    }
    if (one.kind == cr_luaTokenEnd) {
      return;
    }
    a = one.text + one.size;
    b = other.text + other.size;
  }
}

// Without what stands in front of lines.
static Text flatten(const char* text)
{
  Text out = { NULL, 0 };
  for (const char* c = text; *c != '\0'; ++c) {
    if ((*c == ' ' || *c == '\t') &&
        (c == text || c[-1] == '\n' || (out.size > 0 && out.bytes[out.size - 1] == '\n'))) {
      continue;
    }
    add(&out, c, 1);
  }
  return out;
}

static void compare(const char* path, const char* text)
{
  Text once = format(text), twice = format(once.bytes);
  assert_string_equal(once.bytes, twice.bytes);
  assertSameTokens(text, once.bytes);
  Text before = writeScene(text, path), behind = writeScene(once.bytes, path);
  assert_string_equal(before.bytes, behind.bytes);
  free(once.bytes);
  free(twice.bytes);
  free(before.bytes);
  free(behind.bytes);
}

static void examples_stay_the_same_models(void** state)
{
  (void)state;
  DIR* folder = opendir(CAROM_ROOT "/examples");
  assert_non_null(folder);
  int count = 0;
  for (const struct dirent* entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
    size_t length = strlen(entry->d_name);
    if (length > 4 && strcmp(entry->d_name + length - 4, ".lua") == 0) {
      char path[512];
      snprintf(path, sizeof path, CAROM_ROOT "/examples/%s", entry->d_name);
      size_t size;
      char* text = crReadTestFile(path, &size);
      compare(path, text);
      Text flat = flatten(text);
      compare(path, flat.bytes);
      free(flat.bytes);
      free(text);
      ++count;
    }
  }
  closedir(folder);
  assert_true(count > 40);
}

// The examples are laid out as the tool does it.
static void examples_are_laid_out(void** state)
{
  (void)state;
  crAssertSays("$carom fmt --check \"$models\"/*.lua \"$models\"/sweeps/*.lua", 0, "");
}

// ---------------------------------------------------------------------------------------------- tool

static void the_tool_writes_what_changes(void** state)
{
  (void)state;
  crAssertSays("printf 'world(\"w\")\\nif true then\\nprint(1)\\nend\\n' > a.lua; $carom fmt --check a.lua", 1,
               "a.lua would change");
  crAssertSays("$carom fmt a.lua && cat a.lua", 0, "a.lua changed\nworld(\"w\")\nif true then\n  print(1)\nend\n");
  crAssertSays("touch -d @0 a.lua; $carom fmt a.lua; stat -c %Y a.lua", 0, "0\n"); // not written again
  crAssertSays("printf 'f(\\n' > b.lua; $carom fmt b.lua a.lua; code=$?; cat b.lua; exit $code", 1,
               "b.lua:2: error: brackets or blocks do not match");
  crAssertSays("$carom convert $models/pendulum.lua p.json >/dev/null; tr -s ' \\n' '  ' < p.json > q.json; "
               "$carom fmt q.json && cmp p.json q.json && $carom fmt --check q.json",
               0, "q.json changed");
  crAssertSays("echo '{\"carom\": 1, \"objects\": [{\"nam\": 1}]}' > r.json; $carom fmt r.json", 1,
               "r.json: error: objects[1]: nam");
  crAssertSays("$carom fmt", 2, "the model is missing");
  crAssertSays("$carom fmt a.txt", 2, "models to be laid out end in .lua or .json, not 'a.txt'");
  crAssertSays("$carom fmt --wrong a.lua", 2, "unknown option '--wrong'");
  crAssertSays("$carom fmt none.lua", 1, "none.lua");
  crAssertSays("$carom fmt --help", 0, "usage: carom fmt MODEL");
}

static void a_new_model_runs_and_is_laid_out(void** state)
{
  (void)state;
  crAssertSays("$carom new first.lua", 0, "first.lua: a pendulum and a ball. Next:\n  carom run first.lua\n");
  crAssertSays("$carom check first.lua", 0, "first.lua: ok, 0 errors, 0 warnings");
  crAssertSays("$carom fmt --check first.lua", 0, "");
  crAssertSays("$carom run first.lua --no-report --json > first.json && grep -q '\"contacts\"' first.json && echo fine",
               0, "fine");
  crAssertSays("echo mine > second.lua; $carom new second.lua; code=$?; cat second.lua; exit $code", 1,
               "second.lua is there already, and nothing was written\nmine\n");
  crAssertSays("$carom new none/first.lua", 1, "none/first.lua cannot be written: No such file or directory");
  crAssertSays("$carom new", 2, "the name of the new model is missing");
  crAssertSays("$carom new a.json", 2, "ends in .lua, not 'a.json'");
  crAssertSays("$carom new a.lua b.lua", 2, "one argument too many: 'b.lua'");
  crAssertSays("$carom new --force", 2, "unknown option '--force'");
  crAssertSays("$carom new --help", 0, "usage: carom new MODEL.lua");
}

// Waits for the number of lines that say so in watch.txt.
#define AWAIT_LINES                                                                                                    \
  "until_lines() { for i in $(seq 300); do [ \"$(grep -c \"$1\" watch.txt)\" -ge $2 ] && return; sleep 0.1; done; "    \
  "echo late; }; "

static void watching_checks_again_after_each_change(void** state)
{
  (void)state;
  crAssertSays(AWAIT_LINES
               "printf 'include(\"part.lua\")\\n' > watched.lua; printf 'world(\"w\")\\n' > part.lua; : > watch.txt; "
               "$carom check --watch watched.lua > watch.txt 2>&1 & id=$!; "
               "until_lines 'lua: ok' 1; printf 'world(\"w\"\\n' > part.lua; until_lines 'not ok' 1; "
               "printf 'world(\"w2\")\\n' > part.lua; until_lines 'lua: ok' 2; "
               "printf 'include(\"part.lua\") print(1)\\n' > watched.lua; until_lines 'lua: ok' 3; "
               "kill -INT $id; wait $id; echo ended $?; grep -c 'part.lua:' watch.txt",
               0, "ended 0\n1\n");
}

// A file that changed between being read and the first look at it was taken for the one that was checked.
static void a_change_while_it_is_checked_is_seen(void** state)
{
  (void)state;
  crAssertSays(AWAIT_LINES "printf 'include(\"slow.lua\")\\nfor i = 1, 4e7 do end\\n' > watched.lua; "
                           "printf 'world(\"w\")\\n' > slow.lua; sleep 0.2; : > watch.txt; "
                           "$carom check --watch watched.lua > watch.txt 2>&1 & id=$!; "
                           "sleep 0.3; printf 'world(\"w\"\\n' > slow.lua; until_lines 'not ok' 1; "
                           "kill -INT $id; wait $id; head -1 watch.txt; tail -1 watch.txt",
               0, "watched.lua: not ok, 1 error, 0 warnings\n");
}

// Of files that were not there it was not seen that they came.
static void a_file_that_was_missing_is_waited_for(void** state)
{
  (void)state;
  crAssertSays(AWAIT_LINES
               "rm -f late.lua late.obj; : > watch.txt; printf 'include(\"late.lua\")\\n' > watched.lua; "
               "$carom check --watch watched.lua > watch.txt 2>&1 & id=$!; until_lines 'not ok' 1; "
               "printf 'world(\"w\", { solid{ shape = mesh{ file = \"late.obj\" } } })\\n' > late.lua; "
               "until_lines 'not ok' 2; "
               "printf 'v 0 0 0\\nv 1 0 0\\nv 0 1 0\\nv 0 0 1\\nf 1 3 2\\nf 1 2 4\\nf 1 4 3\\nf 2 3 4\\n' > late.obj; "
               "until_lines 'lua: ok' 1; kill -INT $id; wait $id; echo ended $?",
               0, "ended 0\n");
}

// The time grew with the square of the size: lines were counted from the start for each token, and columns from the
// start of the line. Twice the text takes twice as long.
static double timeFormat(const char* piece, int count)
{
  size_t size = strlen(piece);
  char* text = malloc((size_t)count * size + 1);
  for (int i = 0; i < count; ++i) {
    memcpy(text + (size_t)i * size, piece, size + 1);
  }
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    clock_t start = clock(); // CPU time: others may work as well
    Text out = format(text);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    best = seconds < best ? seconds : best;
    free(out.bytes);
  }
  free(text);
  return best;
}

static void the_time_grows_with_the_size(void** state)
{
  (void)state;
  static const char* const pieces[] = { "a = f({ 1, 2, 3 })\n", "a = f({ 1, 2, 3 }) " };
  for (int i = 0; i < 2; ++i) {
    double small = timeFormat(pieces[i], 2000), large = timeFormat(pieces[i], 32000);
    if (large > 64.0 * small) { // 16 times as much; the square would be 256
      print_error("piece %d: %g s and %g s\n", i, small, large);
      fail();
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(blocks_and_brackets_indent),
    cmocka_unit_test(expressions_that_go_on_are_deeper),
    cmocka_unit_test(what_is_lined_up_stays),
    cmocka_unit_test(blanks_are_put_in_order),
    cmocka_unit_test(what_is_no_lua_is_told),
    cmocka_unit_test(a_text_without_memory_says_so),
    cmocka_unit_test(examples_stay_the_same_models),
    cmocka_unit_test(examples_are_laid_out),
    cmocka_unit_test(the_tool_writes_what_changes),
    cmocka_unit_test(a_new_model_runs_and_is_laid_out),
    cmocka_unit_test(watching_checks_again_after_each_change),
    cmocka_unit_test(a_change_while_it_is_checked_is_seen),
    cmocka_unit_test(a_file_that_was_missing_is_waited_for),
    cmocka_unit_test(the_time_grows_with_the_size),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
