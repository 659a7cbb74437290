// The sandbox of Lua models: every way out of it, every way to make it hang or eat memory, and what it must not
// depend on.
#include "base/clock.h"
#include "carom/io.h"
#include "support/lua.h"
#include "support/test.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Limits small enough for a test, but far above what the library needs.
static crReadOptions smallLimits(void)
{
  crReadOptions options = crDefaultReadOptions();
  options.instructionLimit = 3000000;
  options.memoryLimit = 32 << 20;
  return options;
}

static void what_could_reach_outside_is_not_there(void** state)
{
  (void)state;
  static const char* const names[] = {
    "io",
    "os",
    "package",
    "debug",
    "coroutine",
    "load",
    "loadfile",
    "dofile",
    "loadstring",
    "pcall",
    "xpcall",
    "collectgarbage",
    "warn",
    "string.find",
    "string.match",
    "string.gmatch",
    "string.gsub",
    "string.dump",
    "string.pack",
    "string.unpack",
    "string.packsize",
    "utf8.charpattern",
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    char text[256];
    snprintf(text, sizeof text, "assert(%s == nil, 'it is there')", names[i]);
    assert_reads(text, cr_ok, NULL);
  }
}

static void what_models_need_is_there(void** state)
{
  (void)state;
  assert_reads("assert(pi == math.pi and math.abs(math.sin(pi)) < 1e-15 and _VERSION == 'Lua 5.4' and _G.pi == pi)\n"
               "assert(math.type(3) == 'integer' and math.tointeger(3.0) == 3 and math.ult(1, 2))\n"
               "assert(('abc'):upper() == 'ABC' and ('x'):rep(3, '-') == 'x-x-x' and #'abc' == 3)\n"
               "assert(string.format('%5.2f|%d|%s|%q|%%', 1.5, 3, true, 'a') == ' 1.50|3|true|\"a\"|%')\n"
               "assert(('abc'):sub(2) == 'bc' and ('abc'):byte(1) == 97 and string.char(97) == 'a')\n"
               "assert(utf8.char(228) == 'ä' and utf8.len('ä') == 1)\n"
               "assert(select('#', 1, 2) == 2 and tonumber('0x10') == 16 and rawlen({1, 2}) == 2)\n"
               "assert(rawequal(1, 1) and rawget({5}, 1) == 5 and type(rawset({}, 1, 2)) == 'table')\n"
               "local C = {}; C.__index = C; function C.f() return 7 end\n"
               "assert(setmetatable({}, C).f() == 7 and getmetatable(setmetatable({}, C)) == C)\n",
               cr_ok, NULL);
  assert_reads("local t = {3, 1, 2}\n"
               "table.sort(t); assert(table.concat(t, ',') == '1,2,3')\n"
               "table.sort(t, function(a, b) return a > b end); assert(table.concat(t) == '321')\n"
               "table.insert(t, 4); table.insert(t, 1, 9); assert(table.concat(t, ' ') == '9 3 2 1 4')\n"
               "assert(table.remove(t) == 4 and table.remove(t, 1) == 9 and #t == 3)\n"
               "assert(select('#', table.unpack(t)) == 3 and table.pack(1, nil).n == 2)\n"
               "assert(table.concat(table.move(t, 1, 3, 2), '') == '3321' and table.concat({}) == '')\n",
               cr_ok, NULL);
}

static void bytecode_is_refused(void** state)
{
  (void)state;
  assert_reads("\x1bLua\x54", cr_errorSyntax, "model.lua: error: this is compiled Lua (bytecode)");
  assert_reads("\xef\xbb\xbf\x1bLua", cr_errorSyntax, "bytecode");
  assert_reads("#!/usr/bin/carom\n\x1bLua", cr_errorSyntax, "bytecode");
}

static void a_preamble_keeps_the_lines_in_place(void** state)
{
  (void)state;
  assert_reads("\xef\xbb\xbf#! comment\nerror('here')", cr_errorModel, "model.lua:2: error: here");
  assert_reads("#", cr_ok, NULL);
  assert_reads("", cr_ok, NULL);
}

static void shared_metatables_are_protected(void** state)
{
  (void)state;
  assert_reads("assert(getmetatable('') == false)", cr_ok, NULL);
  assert_reads("setmetatable('', {})", cr_errorModel, "table expected");
  assert_reads("local w = world('w'); assert(getmetatable(w) == false)", cr_ok, NULL);
  assert_reads("world('w').path = 'x'", cr_errorModel, "an element cannot be changed");
  assert_reads("rawset(world('w'), 1, 2)", cr_errorModel, "table expected");
  assert_reads("local s = sphere(3); assert(getmetatable(s) == false); setmetatable(s, {})", cr_errorModel,
               "cannot change a protected metatable");
  assert_reads("setmetatable({}, { __gc = function() end })", cr_errorModel, "finalizers");
  assert_reads("setmetatable({}, { __gc = false })", cr_errorModel, "finalizers");
  // a finalizer that is added afterwards is never called
  assert_reads("local m = {}; setmetatable({}, m); m.__gc = function() error('ran') end\n"
               "for i = 1, 1e5 do local t = {} end",
               cr_ok, NULL);
}

// --------------------------------------------------------------------------------------------- limits

static void endless_models_are_stopped_where_they_are(void** state)
{
  (void)state;
  crReadOptions options = smallLimits();
  assert_reads_with("local x\nwhile true do\n  x = 1\nend", &options, cr_errorLimit, "runs for too long");
  assert_reads_with("\n\nwhile true do end", &options, cr_errorLimit,
                    "model.lua:3: error: the model runs for too long");
  assert_reads_with("::a:: goto a", &options, cr_errorLimit, "at most 3e+06 instructions");
  assert_reads_with("local function f() return f() end\nf()", &options, cr_errorLimit, "runs for too long");
  assert_reads_with("local t = setmetatable({}, { __index = function(t, i) return i end })\n"
                    "for i in ipairs(t) do end",
                    &options, cr_errorLimit, "runs for too long");
  options.instructionLimit = 1000000;
  assert_reads_with("while true do object('a') end", &options, cr_errorLimit, "runs for too long");
  assert_reads_with("while true do print() end", &options, cr_errorLimit, "runs for too long");
  options.instructionLimit = 1;
  assert_reads_with("for i = 1, 100 do end", &options, cr_errorLimit, "runs for too long");
}

static void what_runs_while_an_error_unwinds_is_stopped_too(void** state)
{
  (void)state;
  crReadOptions options = smallLimits();
  static const char* const lasts[] = { "while true do end", "error('again')",
                                       "local t = {}; while true do t[#t + 1] = {} end" };
  for (int i = 0; i < 3; ++i) {
    char text[256];
    snprintf(text, sizeof text,
             "local f\nfunction f()\n  local x <close> = setmetatable({}, { __close = f })\n  %s\nend\nf()", lasts[i]);
    assert_reads_with(text, &options, cr_errorLimit, "too");
  }
  // whether the last message is that of the overflow or 'again' depends on how full the stack was before
  assert_reads("local f\nfunction f() local x <close> = setmetatable({}, { __close = f }); error('again') end\nf()",
               cr_errorModel, NULL);
}

// Each call passes on one argument more: few instructions, but longer and longer ones.
static void slow_instructions_are_stopped_by_time(void** state)
{
  (void)state;
  crReadOptions options = smallLimits();
  options.memoryLimit = 1 << 30;
  assert_reads_with("local function f(...) return f(1, ...) end\nf()", &options, cr_errorLimit, " s");
}

// Nothing is collected of models that need little: of those that leave much behind it is.
static void garbage_does_not_count_as_memory(void** state)
{
  (void)state;
  crReadOptions options = smallLimits();
  assert_reads_with("local s = string.rep('x', 500000); for i = 1, 300 do local t = s .. i end", &options, cr_ok, NULL);
  assert_reads_with("for i = 1, 100000 do local t = { i, i, i, i, i, i, i, i } end", &options, cr_ok, NULL);
}

static void long_loops_in_c_are_charged(void** state)
{
  (void)state;
  crReadOptions options = smallLimits();
  static const char* const texts[] = {
    "table.move({}, 1, 1e18, 2)",
    "table.move({}, math.mininteger, math.maxinteger, 1)",
    "table.unpack({}, 1, 1e8)",
    "table.unpack({}, math.mininteger, math.maxinteger)",
    "table.concat({}, '', math.mininteger, math.maxinteger)",
    "local t = {}; for i = 1, 1e5 do t[i] = i end; while true do table.sort(t, rawequal) end",
    "local t = {}; for i = 1, 1e5 do t[i] = i end; while true do next(t) end",
    "local t = {}; for i = 1, 1e5 do t[i] = i end; while true do pairs(t) end",
    "local t = {}; for i = 1, 1e5 do t[i] = i end; while true do table.insert(t, 1, 0); t[#t] = nil end",
    "local t = {}; for i = 1, 1e5 do t['k' .. i] = i end; while true do sphere(t) end",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    crTestModel model = crTestModel_Read(texts[i], &options);
    if (model.status != cr_errorLimit) {
      print_error("not stopped: %s\n", texts[i]);
    }
    assert_int_equal(model.status, cr_errorLimit);
    crTestModel_Free(&model);
  }
}

// Comparing or copying a long text takes as long as thousands of instructions.
static void long_texts_are_charged_by_their_bytes(void** state)
{
  (void)state;
  crReadOptions options = smallLimits();
  static const char* const texts[] = {
    "local t = {}; for i = 1, 20000 do t[i] = s end; table.sort(t)",
    "local t = {}; for i = 1, 20 do t[s .. i] = i end; while true do next(t) end",
    "local t = {}; for i = 1, 20 do t[s .. i] = i end; while true do pairs(t) end",
    "while true do s:lower() end",
    "while true do s:upper() end",
    "while true do s:reverse() end",
    "while true do s:sub(2) end",
    "while true do s:byte(-1) end",
    "while true do utf8.len(s) end",
    "while true do utf8.offset(s, 1000000) end",
    "while true do utf8.codepoint(s) end",
    "while true do tonumber(s) end",
    "while true do local r = ('x'):rep(1000000) end",
    "while true do local r = table.concat({ s }) end",
    "while s <= s do end",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    char text[256];
    snprintf(text, sizeof text, "local s = ('x'):rep(1000000)\n%s", texts[i]);
    double start = crReadClock(CLOCK_THREAD_CPUTIME_ID);
    crTestModel model = crTestModel_Read(text, &options);
    double time = crReadClock(CLOCK_THREAD_CPUTIME_ID) - start;
    if (model.status != cr_errorLimit || time > 4.0) {
      print_error("%s: status %d after %g s\n", texts[i], model.status, time);
    }
    assert_int_equal(model.status, cr_errorLimit);
    assert_true(time < 4.0); // 1.15 s is the limit; at worst 4000 instructions go by before the clock is read
    crTestModel_Free(&model);
  }
}

// A few items at 1 to 5, 8, 16, 32, ... make Lua believe that a list is as long as the last one says.
static void lists_that_seem_endless_are_charged(void** state)
{
  (void)state;
  crReadOptions options = smallLimits();
  const char* calls[] = { "table.insert(t, 1, 0)", "table.remove(t, 1)", "table.sort(t)", "table.sort(t, rawequal)",
                          "table.unpack(t)" };
  for (int i = 0; i < 5; ++i) {
    char text[4096] = "local t = { 1, 1, 1, 1, [5] = 1";
    for (int k = 3; k <= 62; ++k) {
      snprintf(text + strlen(text), sizeof text - strlen(text), ", [%lld] = 1", 1LL << k);
    }
    snprintf(text + strlen(text), sizeof text - strlen(text), " }\nassert(#t > 1e9)\n%s", calls[i]);
    assert_reads_with(text, &options, cr_errorLimit, "model.lua:3: error: the model runs for too long");
  }
}

static void lengths_come_from_the_table_itself(void** state)
{
  (void)state;
  const char* functions[] = {
    "insert(t, 1, 1)", "remove(t, 1)", "concat(t)", "unpack(t)", "sort(t)", "move(t, 1, 2, 3)"
  };
  for (int i = 0; i < 6; ++i) {
    char text[256];
    snprintf(text, sizeof text,
             "local t = setmetatable({}, { __len = function() return 1e9 // 1 | 0 end, __index = rawlen })\ntable.%s",
             functions[i]);
    assert_reads(text, cr_errorModel, "do not work on tables with __len");
  }
}

static void strings_are_bounded(void** state)
{
  (void)state;
  crReadOptions options = smallLimits();
  static const char* const texts[] = {
    "local s = ('x'):rep(1e9)",
    "local s = ('x'):rep(1 << 62)",
    "local s = (''):rep(1 << 62)",
    "local s = ('x'):rep(10, ('y'):rep(1000000))",
    "local s = 'x'; while true do s = s .. s end",
    "local s = ('x'):rep(1000000); s = table.concat({ s, s })",
    "local s = ('x'):rep(1000000); s = table.concat({ 1, 2, 3 }, s)",
    "local s = ('x'):rep(1000000); s = string.format('%s%s', s, s)",
    "local s = ('x'):rep(1000000) .. ('x'):rep(1000000)",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    assert_reads_with(texts[i], &options, cr_errorLimit, "model.lua:1: error: a string is too long");
  }
  assert_reads("string.format(('%d'):rep(300), table.unpack({}, 1, 300))", cr_errorModel, "too many arguments");
}

static void memory_is_bounded(void** state)
{
  (void)state;
  crReadOptions options = smallLimits();
  assert_reads_with("local t = {}\nfor i = 1, 1e9 do\n  t[i] = {}\nend", &options, cr_errorLimit,
                    "the model needs too much memory\n  allowed: at most 32 MiB");
  assert_reads_with("local t = {}\nfor i = 1, 1e9 do t[i] = i .. ('x'):rep(1000) end", &options, cr_errorLimit,
                    "model.lua:2: error: the model needs too much memory");
  // what goes into the scene counts, too
  options.instructionLimit = 1000000000;
  assert_reads_with("for i = 1, 1e9 do object('a' .. i) end", &options, cr_errorLimit, "too much memory");
  // tables in tables that share parts unfold into far more than they take in Lua
  assert_reads_with(
      "local t = { 1 }\nfor i = 1, 14 do t = { t, t, t, t, t, t, t, t } end\nobject('a', { position = t })", &options,
      cr_errorLimit, "too much memory");
  options.memoryLimit = 1000;
  assert_reads_with("", &options, cr_errorLimit, "too much memory");
  options.memoryLimit = 10000;
  assert_reads_with("", &options, cr_errorLimit, "too much memory");
}

static void deep_nesting_is_an_error_and_no_crash(void** state)
{
  (void)state;
  size_t depth = 100000;
  char* text = malloc(2 * depth + 64);
  strcpy(text, "local t = ");
  memset(text + 10, '{', depth);
  memset(text + 10 + depth, '}', depth);
  text[10 + 2 * depth] = '\0';
  assert_reads(text, cr_errorSyntax, "model.lua:1: error: blocks or expressions are nested too deep");
  memset(text, '(', depth);
  text[depth] = '\0';
  assert_reads(text, cr_errorSyntax, "model.lua:1: error: blocks or expressions are nested too deep");
  free(text);
  assert_reads("local function f() return 1 + f() end\nf()", cr_errorModel, "stack overflow");
  assert_reads("local m = {}; m.__tostring = function(t) return tostring(t) end\ntostring(setmetatable({}, m))",
               cr_errorModel, "stack overflow");
  assert_reads("local t = {}; for i = 1, 3000 do t = setmetatable({}, { __index = t }) end; local x = t.x",
               cr_errorModel, "'__index' chain too long");
}

// ------------------------------------------------------------------------------------- repeatability

static void nothing_shows_addresses(void** state)
{
  (void)state;
  assert_reads("assert(tostring({}) == 'table' and tostring(print) == 'function')\n"
               "assert(string.format('%s %10s', {}, {}) == 'table      table')\n"
               "local t = setmetatable({}, { __tostring = function() return 'mine' end })\n"
               "assert(tostring(t) == 'mine' and string.format('%s', t) == 'mine')\n"
               "assert(tostring(setmetatable({}, { __name = 'T' })) == 'table')\n"
               "assert(tostring(world('w')) == \"object 'w'\")",
               cr_ok, NULL);
  assert_reads("string.format('%p', {})", cr_errorModel, "addresses change from run to run");
  assert_reads("string.format('%-10p', {})", cr_errorModel, "addresses change from run to run");
  assert_reads("tostring(setmetatable({}, { __tostring = function() return {} end }))", cr_errorModel,
               "'__tostring' must return a string");
}

static void pairs_goes_in_order(void** state)
{
  (void)state;
  assert_reads("local t = { 30, 10, 20, z = 1, a = 2, [true] = 3, [false] = 4, [-1] = 5, [2.5] = 6, [1e300] = 7 }\n"
               "local keys = {}\n"
               "for k, v in pairs(t) do keys[#keys + 1] = tostring(k); assert(t[k] == v) end\n"
               "assert(table.concat(keys, ' ') == '-1 1 2 2.5 3 1e+300 a z false true')\n"
               "local again, k, v = {}, next(t)\n"
               "while k ~= nil do again[#again + 1] = tostring(k); assert(t[k] == v); k, v = next(t, k) end\n"
               "assert(table.concat(again, ' ') == table.concat(keys, ' '))\n"
               "assert(next({}) == nil and next({}, 5) == nil)\n"
               "for k in pairs({ a = 1, b = 2, c = 3 }) do assert(#k == 1) end\n"
               "local u = { a = 1, b = 2, c = 3 }\n"
               "for k in pairs(u) do assert(k ~= 'b'); u.b = nil end\n",
               cr_ok, NULL);
  assert_reads("for k in pairs({ [{}] = 1, [{}] = 2 }) do end", cr_errorModel, "keys that are a table have no order");
  assert_reads("next({ [print] = 1 })", cr_errorModel, "keys that are a function have no order");
  assert_reads("pairs(nil)", cr_errorModel, "table expected");
}

static void sorting_is_stable_and_repeatable(void** state)
{
  (void)state;
  assert_reads("local t = {}\n"
               "for i = 1, 1000 do t[i] = { key = (i * 7919) % 10, i = i } end\n"
               "table.sort(t, function(a, b) return a.key < b.key end)\n"
               "for i = 2, 1000 do\n"
               "  local a, b = t[i - 1], t[i]\n"
               "  assert(a.key < b.key or (a.key == b.key and a.i < b.i))\n"
               "end\n"
               "local bad = { 5, 3, 4, 1, 2 }\n"
               "table.sort(bad, function() return true end) -- no order at all\n"
               "table.sort(bad); assert(table.concat(bad) == '12345')\n"
               "table.sort({}); table.sort({ 1 })",
               cr_ok, NULL);
  assert_reads("table.sort({ 1, 'a' })", cr_errorModel, "attempt to compare");
  assert_reads("table.sort({ 1, 2 }, 3)", cr_errorModel, "function expected");
}

static void random_numbers_are_the_same_in_every_run(void** state)
{
  (void)state;
  char first[64] = "";
  for (int run = 0; run < 3; ++run) {
    crTestModel model =
        crTestModel_ReadGood("print(math.random(), math.random(1000)); math.randomseed(5); print(math.random(1000))");
    char text[64];
    assert_int_equal(crErrorLog_Count(model.log), 2);
    snprintf(text, sizeof text, "%s %s", crErrorLog_Get(model.log, 0)->message, crErrorLog_Get(model.log, 1)->message);
    assert_true(run == 0 || strcmp(text, first) == 0);
    snprintf(first, sizeof first, "%s", text);
    crTestModel_Free(&model);
  }
  assert_reads("math.randomseed()", cr_errorModel, "number expected");
}

// A host may have set a locale in which 1.5 is written 1,5.
static void the_locale_of_the_host_does_not_matter(void** state)
{
  (void)state;
  const char* found = NULL;
  const char* names[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "fr_FR.utf8" };
  for (int i = 0; i < 4 && found == NULL; ++i) {
    found = setlocale(LC_ALL, names[i]);
  }
  if (found == NULL) {
    skip();
  }
  assert_reads("assert(tostring(1.5) == '1.5' and string.format('%.1f', 2.5) == '2.5' and tonumber('1.5') == 1.5)",
               cr_ok, NULL);
  setlocale(LC_ALL, "C");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_could_reach_outside_is_not_there),
    cmocka_unit_test(what_models_need_is_there),
    cmocka_unit_test(bytecode_is_refused),
    cmocka_unit_test(a_preamble_keeps_the_lines_in_place),
    cmocka_unit_test(shared_metatables_are_protected),
    cmocka_unit_test(endless_models_are_stopped_where_they_are),
    cmocka_unit_test(what_runs_while_an_error_unwinds_is_stopped_too),
    cmocka_unit_test(slow_instructions_are_stopped_by_time),
    cmocka_unit_test(garbage_does_not_count_as_memory),
    cmocka_unit_test(long_loops_in_c_are_charged),
    cmocka_unit_test(long_texts_are_charged_by_their_bytes),
    cmocka_unit_test(lists_that_seem_endless_are_charged),
    cmocka_unit_test(lengths_come_from_the_table_itself),
    cmocka_unit_test(strings_are_bounded),
    cmocka_unit_test(memory_is_bounded),
    cmocka_unit_test(deep_nesting_is_an_error_and_no_crash),
    cmocka_unit_test(nothing_shows_addresses),
    cmocka_unit_test(pairs_goes_in_order),
    cmocka_unit_test(sorting_is_stable_and_repeatable),
    cmocka_unit_test(random_numbers_are_the_same_in_every_run),
    cmocka_unit_test(the_locale_of_the_host_does_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
