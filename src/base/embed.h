// Files that the assembler puts into the library or the tool, as they are: CR_EMBED("NAME", path) gives NAMEStart and
// NAMEEnd, with a zero behind the end. Hidden; to be declared by CR_EMBEDDED.
#ifndef CR_BASE_EMBED_H
#define CR_BASE_EMBED_H

#if defined(__APPLE__)
#define CR_EMBED_SECTION ".section __DATA,__const\n"
#define CR_EMBED_SYMBOL(name) ".private_extern _" name "\n_" name ":\n"
#define CR_EMBED_END ".text\n"
#elif defined(_WIN32)
#define CR_EMBED_SECTION ".section .rdata,\"dr\"\n"
#define CR_EMBED_SYMBOL(name) ".globl " name "\n" name ":\n"
#define CR_EMBED_END ".text\n"
#else
#define CR_EMBED_SECTION ".section .rodata\n"
#define CR_EMBED_SYMBOL(name) ".globl " name "\n.hidden " name "\n" name ":\n"
#define CR_EMBED_END ".previous\n"
#endif

#define CR_EMBED(name, path)                                                                                           \
  __asm__(CR_EMBED_SECTION CR_EMBED_SYMBOL(name "Start") ".incbin \"" path                                             \
                                                         "\"\n" CR_EMBED_SYMBOL(name "End") ".byte 0\n" CR_EMBED_END)

#ifdef _WIN32
#define CR_EMBEDDED extern const char
#else
#define CR_EMBEDDED __attribute__((visibility("hidden"))) extern const char
#endif

#endif
