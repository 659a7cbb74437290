// carom mesh as a user meets it, with the T of the examples: 60 x 40 x 15 mm on 20 x 40 x 30 mm, in millimetres.
#include "support/command.h"
#include "support/folder.h"
#include "support/test.h"

#include <stdio.h>

// V = 60 ml, centre at (36 ml x 37.5 + 24 ml x 15) / 60 ml = 28.5 mm; the hull has 84 ml.
static void info_tells_what_a_mesh_is(void** state)
{
  (void)state;
  crAssertSays("$carom mesh info $models/tee.stl --scale 0.001", 0, "volume     6e-05 m^3");
  crAssertSays("$carom mesh info $models/tee.stl --scale 0.001", 0, " 0.0285 m\n");
  crAssertSays("$carom mesh info $models/tee.stl --scale 0.001", 0, "hulls      1.4 times the volume");
  crAssertSays("$carom mesh info $models/tee.stl", 0, "box        x -30 ... 30, y -20 ... 20, z 0 ... 45 m");
}

static void check_and_repair_tell_what_is_wrong(void** state)
{
  (void)state;
  crAssertSays("$carom mesh check $models/tee.stl", 0, "nothing is wrong");
  // a box without its top
  crAssertSays("printf 'v 0 0 0\\nv 1 0 0\\nv 1 1 0\\nv 0 1 0\\nv 0 0 1\\nv 1 0 1\\nv 1 1 1\\nv 0 1 1\\n"
               "f 4 3 2 1\\nf 1 2 6 5\\nf 2 3 7 6\\nf 3 4 8 7\\nf 4 1 5 8\\n' > open.obj; $carom mesh info open.obj",
               0, "closed     no");
  crAssertSays("$carom mesh check open.obj", 1, "open");
  crAssertSays("$carom mesh decompose open.obj -o pieces.obj", 1, "an open mesh has no inside");
  crAssertSays("$carom mesh repair open.obj --fill 10 -o closed.obj", 0, "closed     yes");
  crAssertSays("$carom mesh info closed.obj", 0, "volume     1 m^3");
}

static void hull_and_decompose_write_what_models_read(void** state)
{
  (void)state;
  crAssertSays("$carom mesh hull $models/tee.stl --scale 0.001 -o hull.obj", 0,
               "volume     1.4 times that of the mesh");
  crAssertSays("$carom mesh info hull.obj", 0, "volume     8.4e-05 m^3");
  crAssertSays("$carom mesh decompose $models/tee.stl --scale 0.001 -o pieces.obj", 0, "pieces     2");
  crAssertSays("$carom mesh info pieces.obj", 0, "hulls      1 times the volume");
  crAssertSays("cp $models/slotted_block.stl . && $carom mesh decompose slotted_block.stl --scale 0.001 --work 1e-7", 1,
               "they are not kept");
  crAssertSays("printf 'object(\"tee\", { parent = world(\"w\"), free = true, solid{ material = \"Steel\",\\n"
               "  shape = mesh{ file = \"pieces.obj\" } } })' > tee.lua; $carom check tee.lua",
               0, "0 errors, 0 warnings");
}

// A field of 200 x 200 bumps on a plate, which takes a minute.
static void an_interrupt_ends_making_pieces(void** state)
{
  (void)state;
  crAssertSays("awk 'BEGIN { n = 200; for (i = 0; i <= n; ++i) for (k = 0; k <= n; ++k) print \"v\", i, k, "
               "sin(i) * cos(k); for (i = 0; i <= n; ++i) for (k = 0; k <= n; ++k) print \"v\", i, k, -3; "
               "m = (n + 1) * (n + 1); for (i = 0; i < n; ++i) for (k = 0; k < n; ++k) { a = i * (n + 1) + k + 1; "
               "b = a + n + 1; print \"f\", a, b, b + 1, a + 1; print \"f\", m + a + 1, m + b + 1, m + b, m + a; } "
               "for (i = 0; i < n; ++i) { print \"f\", i + 1, i + 2, m + i + 2, m + i + 1; a = n * (n + 1) + i + 1; "
               "print \"f\", a + 1, a, m + a, m + a + 1; a = i * (n + 1) + 1; b = a + n + 1; "
               "print \"f\", b, a, m + a, m + b; a += n; b += n; print \"f\", a, b, m + b, m + a; } }' > bumps.obj; "
               "$carom mesh info bumps.obj",
               0, "closed     yes");
  crAssertSays("timeout --preserve-status -s INT 1 $carom mesh decompose bumps.obj -o pieces.obj", 130, "");
}

static void wrong_usage_is_told(void** state)
{
  (void)state;
  crAssertSays("$carom mesh decompose x.stl --work 0", 2, "--work must be more than 0");
  crAssertSays("$carom mesh smash x.stl", 2, "'smash' is none of info, check, repair, decompose, hull");
  crAssertSays("$carom mesh info none.stl", 1, "cannot open 'none.stl'");
  crAssertSays("printf 'solid x' > bad.stl; $carom mesh info bad.stl", 1, "bad.stl");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(info_tells_what_a_mesh_is),
    cmocka_unit_test(check_and_repair_tell_what_is_wrong),
    cmocka_unit_test(hull_and_decompose_write_what_models_read),
    cmocka_unit_test(an_interrupt_ends_making_pieces),
    cmocka_unit_test(wrong_usage_is_told),
  };
  return cmocka_run_group_tests(tests, crMakeTestFolder, crRemoveTestFolder);
}
