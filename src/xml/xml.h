// XML as a tree: what robot descriptions and COLLADA meshes are read from.
//
// expat parses. A file may neither declare entities nor refer to other files, and its depth and the number of its
// elements are limited, so that a small file cannot become a large tree.
#ifndef CR_XML_XML_H
#define CR_XML_XML_H

#include "base/memory.h"
#include "base/report.h"

typedef struct crXmlAttribute {
  const char* name;
  const char* value;
} crXmlAttribute;

typedef struct crXmlNode crXmlNode;
struct crXmlNode {
  const char* name;
  const char* text; // of an element without children, blanks around it taken off; "" for none
  const char* file;
  int line;
  crXmlAttribute* attributes; // (attributeCount)
  int attributeCount;
  crXmlNode* parent;
  crXmlNode *first, *last; // children
  crXmlNode* next;         // sibling
};

// Parses a text; everything lives in the arena, `file` too. Blanks before the declaration are forgiven. Reports
// cr_errorSyntax with line and column, cr_errorLimit, cr_errorMemory.
crStatus crReadXml(const char* text, size_t size, const char* file, crArena* arena, const crErrorSink* sink,
                   crXmlNode** outRoot);

// The value of an attribute, or NULL.
const char* crXml_Get(const crXmlNode* node, const char* name);

// Sets an attribute. false: out of memory.
bool crXml_Set(crXmlNode* node, crArena* arena, const char* name, const char* value);

// A copy with all below it, without a parent or sibling. NULL: out of memory.
crXmlNode* crXml_Copy(const crXmlNode* node, crArena* arena);

// Makes it the last child.
void crXml_Append(crXmlNode* parent, crXmlNode* child);

// The first child of a name, or NULL; and the next sibling of the same name.
crXmlNode* crXml_Find(const crXmlNode* node, const char* name);
crXmlNode* crXml_FindNext(const crXmlNode* node);

bool crXml_Is(const crXmlNode* node, const char* name);

// Reads up to `most` numbers, separated by blanks. Returns how many there are, also if those are more than `most`, or
// -1 when one is no number. Needs the "C" locale.
int crSplitNumbers(const char* text, int most, double* outNumbers);

#endif
