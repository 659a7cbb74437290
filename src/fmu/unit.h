// Units as FMI describes them: exponents of base units.
#ifndef CR_FMU_UNIT_H
#define CR_FMU_UNIT_H

#include <stdbool.h>

enum { cr_unitKg, cr_unitM, cr_unitS, cr_unitA, cr_unitK, cr_unitMol, cr_unitCd, cr_unitRad, CR_BASE_UNITS };

typedef struct crBaseUnit {
  int exponents[CR_BASE_UNITS];
  double factor; // to base units
} crBaseUnit;

extern const char* const crBaseUnitNames[CR_BASE_UNITS]; // as attributes of the description

// Reads products and quotients with whole exponents: "N m s/rad", "kg m^2". A '/' divides by the next unit alone.
// false: it has a unit that is not known here, and any tool may make of it what it likes.
bool crReadUnit(const char* text, crBaseUnit* outUnit);

#endif
