-- source
{breakdowns/hits_of_selected}
