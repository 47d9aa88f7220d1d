/** Addresses of people one can sign in as without a password. */
export interface DevelopmentPeople {
  readonly administrators: readonly string[];
  readonly others: readonly string[];
}

/** @param address where the organization is found */
export function developmentPeople({ administrators, others }: DevelopmentPeople, address: string): object {
  const withAddress = (emails: readonly string[]) => emails.map((email) => ({ email, realm_url: address }));
  return { direct_admins: withAddress(administrators), direct_users: withAddress(others) };
}
