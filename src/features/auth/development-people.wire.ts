/** Addresses of people one can sign in as without a password. */
export interface DevelopmentPeople {
  readonly administrators: readonly string[];
  readonly others: readonly string[];
}

/** The answer of `GET /dev_list_users`. */
export type DevelopmentPeopleWire = ReturnType<typeof developmentPeople>;

/** @param address where the organization is found */
export function developmentPeople({ administrators, others }: DevelopmentPeople, address: string) {
  const withAddress = (emails: readonly string[]) => emails.map((email) => ({ email, realm_url: address }));
  return { direct_admins: withAddress(administrators), direct_users: withAddress(others) };
}
