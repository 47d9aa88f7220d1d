import { newOrganizationSettings } from '../settings';
import { newStateKeys } from '../keys';
import { type Json, levelChange } from '../level-change';

export const change363BillingAdministrators = levelChange(
  363,
  'Zulip 10.0, feature level 363: `can_manage_billing_group` takes the place of `is_billing_admin` of people, and `realm_billing` is new.',
  newOrganizationSettings('can_manage_billing_group'),
  newStateKeys('realm_billing'),
  { state: addBilling, records: { user: addBilling }, answers: { 'GET /users/me': addBilling } },
);

function addBilling(record: Json): void {
  if ('is_admin' in record) record['is_billing_admin'] = false;
}
