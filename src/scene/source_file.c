// Files that the model of a scene has included: with them its text can be read again where there are no files.
#include "scene/scene.h"

#include <string.h>

bool crScene_AddSourceFile(crScene* scene, const char* file, const char* text, size_t size)
{
  crSourceFile* source = crArray_Push(&scene->sources, &scene->allocator);
  if (source == NULL) {
    return false;
  }
  char* copy = crArena_Allocate(&scene->arena, size + 1);
  *source = (crSourceFile){ file, copy, size };
  if (copy == NULL || !crScene_Intern(scene, &source->file)) {
    --scene->sources.count;
    return false;
  }
  memcpy(copy, text, size);
  copy[size] = '\0';
  return true;
}

int crScene_CountSourceFiles(const crScene* scene)
{
  return scene != NULL ? scene->sources.count : 0;
}

crSourceFile crScene_GetSourceFile(const crScene* scene, int index)
{
  bool isThere = scene != NULL && index >= 0 && index < scene->sources.count;
  return isThere ? scene->sources.items[index] : (crSourceFile){ .file = NULL };
}
