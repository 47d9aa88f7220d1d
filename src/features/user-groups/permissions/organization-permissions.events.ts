import { defineEvent } from '../../../platform/events/server-event';
import type { OrganizationPermissionsWire } from './organization-permissions.service';

/** A permission of the organization is with others, or those who hold it have come or gone. */
export const organizationPermissionsChanged = defineEvent<{
  property: 'default';
  data: Partial<OrganizationPermissionsWire>;
}>('realm', 'update_dict');
