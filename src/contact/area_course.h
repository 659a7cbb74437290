// Patches along a step of the stabilized method, whose stages are many and close to each other: from stage to stage
// bodies hardly move, while what is stiff, damping and friction, follows velocities that change at once. A patch is
// dear, damping and friction at its five points are not. So patches of contacts that last are evaluated at four places
// of a step alone: its start, the first stage, one in the middle, and its end. In the others what a patch exerts, and
// where, are the polynomial of time through the first three,
//
//   P(s) = P_0 + s P_0' + s^2 (P_m - P_0 - m P_0') / m^2,     P_0' = (P_1 - P_0) / s_1,    s: share of the step
//
// and damping and friction are those of the stage. What changes much within the step is evaluated in all stages. Of the
// end the true rates count, and those of the polynomial tell its error (rkc2.c).
//
// What is kept over steps are patches at the end, which is the start of the next one: the same as evaluated there anew.
#ifndef CR_CONTACT_AREA_COURSE_H
#define CR_CONTACT_AREA_COURSE_H

#include "contact/contact.h"
#include "solve/problem.h"

crStatus crCreateCourses(const crAllocator* allocator, crAreaCourses** outCourses);
void crDestroyCourses(crAreaCourses* courses); // NULL: nothing

// Before a step from t0 [s] on. outIsKnown: of all contacts it is known what they are at the start; else that has to be
// evaluated. false: no memory.
bool crCourses_Begin(crAreaCourses* courses, const crContacts* contacts, double t0, bool* outIsKnown);
void crCourses_End(crAreaCourses* courses, double t1); // the step is done: its end is known
void crCourses_Drop(crAreaCourses* courses);           // nothing is known; NULL: nothing

// What the next evaluation of the set is; place [-]: of the step, from 0 to 1.
void crCourses_Set(crAreaCourses* courses, crStageNode node, double place);

// Evaluates a contact by area as the place in the step wants it. false: it need not push.
bool crCourses_Eval(const crInstance* instance, crContacts* contacts, int contact);

#endif
