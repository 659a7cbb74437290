#include "sweep/spread.h"

#include "base/elementary.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define CR_MAX_LISTED 1000000 // values of one parameter

// ------------------------------------------------------------------------------------------ reading

static crStatus complain(crReporter* reporter, const char* message, const char* found, const char* allowed)
{
  crComplaint complaint = { .message = message, .found = found, .allowed = allowed };
  crReport(reporter, cr_severityError, cr_errorModel, &complaint);
  return cr_errorModel;
}

static crStatus readGrid(crSpread* spread, const char* const parts[3], const char* text, crReporter* reporter)
{
  double count;
  spread->kind = cr_spreadGrid;
  if (!crParseNumber(parts[0], &spread->a) || !crParseNumber(parts[1], &spread->b) ||
      !crParseNumber(parts[2], &count) || count != floor(count) || count < 1.0 || count > CR_MAX_LISTED) {
    return complain(reporter, "a grid is given by its first value, its last one and their number", text,
                    "grid(first, last, number), number from 1 to 1000000");
  }
  spread->count = (int)count;
  return cr_ok;
}

// "first:last:number", which contains no comma. The text is the arena's.
static crStatus readColons(crSpread* spread, char* text, const char* whole, crReporter* reporter)
{
  const char* parts[3] = { text, "", "" };
  for (int i = 1; i < 3; ++i) {
    char* colon = strchr(parts[i - 1], ':');
    if (colon != NULL) {
      *colon = '\0';
      parts[i] = colon + 1;
    }
  }
  return readGrid(spread, parts, whole, reporter);
}

static crStatus readValues(crSpread* spread, const crCall* call, crArena* arena, crReporter* reporter)
{
  double* values = crArena_AllocateZero(arena, (size_t)call->count, sizeof *values);
  if (values == NULL) {
    return cr_errorMemory;
  }
  *spread = (crSpread){ .kind = cr_spreadValues, .count = call->count, .texts = call->arguments, .values = values };
  for (int i = 0; i < call->count; ++i) {
    if (call->arguments[i][0] == '\0') {
      return complain(reporter, "a value of the list is empty", NULL, "numbers or texts with commas between");
    }
    if (!crParseNumber(call->arguments[i], &values[i])) {
      spread->values = NULL;
    }
  }
  return cr_ok;
}

static crStatus readDistribution(crSpread* spread, crSpreadKind kind, const crCall* call, const char* text,
                                 crReporter* reporter)
{
  spread->kind = kind;
  bool isNumbers = call->count == 2 && crParseNumber(call->arguments[0], &spread->a) &&
                   crParseNumber(call->arguments[1], &spread->b);
  if (kind == cr_spreadNormal) {
    return isNumbers && spread->b >= 0.0 ? cr_ok
                                         : complain(reporter, "a normal distribution is given by two numbers", text,
                                                    "normal(mean, standard deviation), the latter >= 0");
  }
  bool isOrdered = isNumbers && spread->a <= spread->b && (kind == cr_spreadUniform || spread->a > 0.0);
  return isOrdered ? cr_ok
                   : complain(reporter, "a distribution over an interval is given by its two ends", text,
                              kind == cr_spreadUniform ? "uniform(a, b), a <= b" : "loguniform(a, b), 0 < a <= b");
}

crStatus crReadSpread(crSpread* spread, const char* text, crArena* arena, crReporter* reporter)
{
  static const char known[] = "grid(first, last, number), values(a, b, ...), uniform(a, b), loguniform(a, b), "
                              "normal(mean, deviation); or first:last:number, or a,b,...";
  *spread = (crSpread){ 0 };
  crCall call;
  bool isMalformed;
  if (!crParseCall(arena, text, &call, &isMalformed)) {
    return isMalformed ? complain(reporter, "a bracket is not closed", text, known) : cr_errorMemory;
  }
  if (strcmp(call.word, "grid") == 0) {
    return call.count == 3 ? readGrid(spread, call.arguments, text, reporter)
                           : complain(reporter, "a grid is given by three numbers", text, known);
  }
  if (call.word[0] == '\0' && call.count == 1 && strchr(call.arguments[0], ':') != NULL) {
    char* copy = crArena_CopyString(arena, call.arguments[0]);
    return copy != NULL ? readColons(spread, copy, text, reporter) : cr_errorMemory;
  }
  if (call.word[0] == '\0' || strcmp(call.word, "values") == 0) {
    return readValues(spread, &call, arena, reporter);
  }
  static const struct {
    const char* word;
    crSpreadKind kind;
  } distributions[] = { { "uniform", cr_spreadUniform },
                        { "loguniform", cr_spreadLogUniform },
                        { "normal", cr_spreadNormal } };
  for (size_t i = 0; i < sizeof distributions / sizeof *distributions; ++i) {
    if (strcmp(call.word, distributions[i].word) == 0) {
      return readDistribution(spread, distributions[i].kind, &call, text, reporter);
    }
  }
  return complain(reporter, "a parameter cannot vary in this way", text, known);
}

// ------------------------------------------------------------------------------------------- values

bool crSpread_IsListed(const crSpread* spread)
{
  return spread->count > 0;
}

double crSpread_GetListed(const crSpread* spread, int place)
{
  if (spread->kind == cr_spreadValues) {
    return spread->values != NULL ? spread->values[place] : (double)place;
  }
  if (place == spread->count - 1 && place > 0) {
    return spread->b; // not an ulp beside it
  }
  double share = spread->count > 1 ? (double)place / (double)(spread->count - 1) : 0.0;
  return spread->a + (spread->b - spread->a) * share;
}

// Wichura's rational functions: one for the middle, two for the tails, relative error below 1e-15.
double crNormalQuantile(double p)
{
  static const double a[8] = { 3.3871328727963666080, 133.14166789178437745, 1971.5909503065514427,
                               13731.693765509461125, 45921.953931549871457, 67265.770927008700853,
                               33430.575583588128105, 2509.0809287301226727 };
  static const double b[8] = { 1.0,
                               42.313330701600911252,
                               687.18700749205790830,
                               5394.1960214247511077,
                               21213.794301586595867,
                               39307.895800092710610,
                               28729.085735721942674,
                               5226.4952788528545610 };
  static const double c[8] = { 1.42343711074968357734,    4.63033784615654529590,   5.76949722146069140550,
                               3.64784832476320460504,    1.27045825245236838258,   0.241780725177450611770,
                               2.27238449892691845833e-2, 7.74545014278341407640e-4 };
  static const double d[8] = { 1.0,
                               2.05319162663775882187,
                               1.67638483018380384940,
                               0.689767334985100004550,
                               0.148103976427480074590,
                               1.51986665636164571966e-2,
                               5.47593808499534494600e-4,
                               1.05075007164441684324e-9 };
  static const double e[8] = { 6.65790464350110377720,    5.46378491116411436990,    1.78482653991729133580,
                               0.296560571828504891230,   2.65321895265761230930e-2, 1.24266094738807843860e-3,
                               2.71155556874348757815e-5, 2.01033439929228813265e-7 };
  static const double f[8] = { 1.0,
                               0.599832206555887937690,
                               0.136929880922735805310,
                               1.48753612908506148525e-2,
                               7.86869131145613259100e-4,
                               1.84631831751005468180e-5,
                               1.42151175831644588870e-7,
                               2.04426310338993978564e-15 };
  double q = p - 0.5, r;
  const double *top = a, *bottom = b;
  if (fabs(q) <= 0.425) {
    r = 0.180625 - q * q;
  } else {
    r = sqrt(-crLog(q < 0.0 ? p : 1.0 - p));
    bool isFar = r > 5.0;
    r -= isFar ? 5.0 : 1.6;
    top = isFar ? e : c;
    bottom = isFar ? f : d;
  }
  double numerator = 0.0, denominator = 0.0;
  for (int i = 7; i >= 0; --i) {
    numerator = numerator * r + top[i];
    denominator = denominator * r + bottom[i];
  }
  double ratio = numerator / denominator;
  return top == a ? q * ratio : q < 0.0 ? -ratio : ratio;
}

double crSpread_FindQuantile(const crSpread* spread, double u)
{
  switch (spread->kind) {
    case cr_spreadNormal: return spread->a + spread->b * crNormalQuantile(u);
    case cr_spreadLogUniform: {
      double low = crLog(spread->a), high = crLog(spread->b);
      return crExp(low + (high - low) * u);
    }
    default: return spread->a + (spread->b - spread->a) * u;
  }
}
