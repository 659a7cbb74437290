// Text: UTF-8 checks, round-trip numbers, and a writer that goes anywhere.
#ifndef CR_BASE_TEXT_H
#define CR_BASE_TEXT_H

#include "base/friend.h"
#include "carom/base.h"

// True for well-formed UTF-8 (no overlong forms, surrogates or values above U+10FFFF).
CR_FRIEND bool crIsUtf8(const char* text, size_t size);

// Whether crCleanText would leave it as it is.
CR_FRIEND bool crIsCleanText(const char* text);

// The shortest decimal of 15 to 17 digits that reads back as the same double, with a decimal point whatever the
// locale; "infinity", "-infinity", "nan". Returns the length.
#define CR_NUMBER_SIZE 32
CR_FRIEND int crFormatNumber(double value, char buffer[CR_NUMBER_SIZE]);

// Copies text for a message: cut to the size, terminated, with escapes for control characters and for
// bytes that are no UTF-8.
#define CR_SHOWN_TOKEN_SIZE 48
#define CR_SHOWN_PATH_SIZE 512
CR_FRIEND void crShowText(const char* text, size_t length, char* buffer, size_t size);

#endif
