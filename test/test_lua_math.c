// Numbers in Lua: math and the operator ^ give the bits of our own elementary functions, and ^ is still Lua's in all
// else: precedence, metamethods, messages.
#include "base/elementary.h"
#include "support/lua.h"
#include "support/test.h"

#include <stdio.h>
#include <string.h>

static void functions_of_math_are_our_own(void** state)
{
  (void)state;
  crRandom random = crMakeRandom(1);
  for (int i = 0; i < 500; ++i) {
    double x = crRandom_Uniform(&random, -9.0, 9.0), u = crRandom_Uniform(&random, -1.0, 1.0), a = fabs(x);
    char text[2000];
    snprintf(text, sizeof text,
             "local x, u, a = %a, %a, %a\n"
             "assert(math.sin(x) == %a)\nassert(math.cos(x) == %a)\nassert(math.tan(x) == %a)\n"
             "assert(math.asin(u) == %a)\nassert(math.acos(u) == %a)\nassert(math.atan(x) == %a)\n"
             "assert(math.atan(u, x) == %a)\nassert(math.exp(x) == %a)\nassert(math.log(a) == %a)\n"
             "assert(math.log(a, 2) == %a)\nassert(math.log(a, 10) == %a)\nassert(math.log(a, 3) == %a)\n"
             "assert(a ^ u == %a)\nassert(a ^ %a == %a)\n",
             x, u, a, crSin(x), crCos(x), crTan(x), crAsin(u), crAcos(u), crAtan2(x, 1.0), crAtan2(u, x), crExp(x),
             crLog(a), crLog2(a), crLog10(a), crLog(a) / crLog(3.0), crPow(a, u), x, crPow(a, x));
    assert_reads(text, cr_ok, NULL);
  }
  assert_reads("math.sin()", cr_errorModel, "number expected");
  assert_reads("math.log(1, {})", cr_errorModel, "number expected");
}

static void powers_bind_as_they_do_in_lua(void** state)
{
  (void)state;
  static const char* const truths[] = {
    "-2^2 == -4",
    "2^-1 == 0.5",
    "-2^-2 == -0.25",
    "2^3^2 == 512",
    "2^2^3 == 256",
    "2^2 ^ 3 == 256",
    "(2^2)^3 == 64",
    "2^2\n^\n3 == 256",
    "2^2--[[ a comment ^ ]]^3 == 256",
    "2^2.5 == 2^(5/2)",
    "2^2e0 == 4",
    "2^0x2 == 4",
    "2^2 .. '' == '4.0'",
    "2^3*3 == 24",
    "3*2^3 == 24",
    "not (2^3 == 9)",
    "({ 3 })[1]^({ 3 })[1] == 27",
    "(function() return 3 end)()^(function() return 3 end)() == 27",
    "'a^b' == 'a' .. string.char(94) .. 'b'",
    "\"a\\\"^b\" == 'a\"' .. string.char(94) .. 'b'",
    "'\\'^' == string.char(39, 94)",
    "[[^]] == string.char(94)",
    "[==[]]^]==] == ']]' .. string.char(94)",
    "#[=[^]=] == 1",
    "2^3 --[==[ ^ ]] ]==] == 8",
    "'10'^2 == 100",
    "'2'^'3' == 8",
    "2^'3' == 8",
    "10^2 == 100 and 10^-3 == 0.001 and 2^0.5 == math.sqrt(2)",
    "0^0 == 1 and (1/0)^0 == 1",
    "math.type(2^2) == 'float' and math.type(2^3) == 'float'",
    "(function() local _ENV = { x = 3 } return x^3 end)() == 27",
    "(function(...) return (...)^3 end)(2) == 8",
  };
  for (size_t i = 0; i < sizeof truths / sizeof *truths; ++i) {
    char text[300];
    snprintf(text, sizeof text, "-- ^ 'a\nassert(%s)\n-- \"^", truths[i]);
    assert_reads(text, cr_ok, NULL);
  }
  assert_reads("assert(2 ^ 3 == 8) -- the end ^", cr_ok, NULL);
  assert_reads("(print)(2^3)", cr_ok, "8.0");
}

static void powers_of_tables_call_their_metamethods(void** state)
{
  (void)state;
  assert_reads("local m = { __pow = function(a, b)\n"
               "  return (type(a) == 'table' and a.v or a) * 10 + (type(b) == 'table' and b.v or b) end }\n"
               "local t = setmetatable({ v = 7 }, m)\n"
               "assert(t ^ 3 == 73)\nassert(t ^ 2 == 72)\nassert(3 ^ t == 37)\nassert(t ^ t == 77)\n"
               "assert(t ^ t ^ 1 == 70 + 71)\nassert(2 ^ t ^ 0 == 2 ^ 70)\nassert(t ^ 'x' == nil)\n",
               cr_errorModel, "attempt to"); // of the last one: 'x' is no number
  assert_reads("local m = { __pow = function(a, b) return b end }\n"
               "local t, u = setmetatable({}, m), setmetatable({}, m)\n"
               "assert(t ^ 'x' == 'x')\nassert(t ^ nil == nil)\nassert(t ^ u == u)\nassert(getmetatable(t) == m)\n"
               "assert(m.__pow(t, 5) == 5)\n",
               cr_ok, NULL);
}

static void what_cannot_be_raised_is_named_with_its_line(void** state)
{
  (void)state;
  assert_reads("local x\nlocal y = x ^ 3", cr_errorModel, "model.lua:2: error: attempt to perform arithmetic on a nil");
  assert_reads("\n\nlocal y = 3 ^ {}", cr_errorModel, "model.lua:3: error: attempt to perform arithmetic on a table");
  assert_reads("local y = 3 ^ 'x'", cr_errorModel, "attempt to pow a 'number' with a 'string'");
  assert_reads("\nlocal y = 3 ^ ^ 2", cr_errorSyntax, "model.lua:2");
  assert_reads("local y = 3 ^", cr_errorSyntax, "model.lua:1");
  assert_reads("local y = 'unfinished ^\nlocal z = 1", cr_errorSyntax, "model.lua:1");
  assert_reads("local y = [[ unfinished ^\nlocal z = 1", cr_errorSyntax, "unfinished long string");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(functions_of_math_are_our_own),
    cmocka_unit_test(powers_bind_as_they_do_in_lua),
    cmocka_unit_test(powers_of_tables_call_their_metamethods),
    cmocka_unit_test(what_cannot_be_raised_is_named_with_its_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
