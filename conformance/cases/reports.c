/* Cases taken from public bug reports of comparable systems, as data. */
#include "cases/make.h"

void conf_cases_reports(conf_list *list)
{
    (void)list;
}
