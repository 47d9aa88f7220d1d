/** Addresses of the people as whom anyone can sign in without a password. */
export interface DevelopmentPeople {
  readonly administrators: readonly string[];
  readonly others: readonly string[];
}

/** The answer of `GET /dev_list_users`. */
export type DevelopmentPeopleWire = ReturnType<typeof developmentPeople>;

/** @param address of the organization */
export function developmentPeople({ administrators, others }: DevelopmentPeople, address: string) {
  const withAddress = (emails: readonly string[]) => emails.map((email) => ({ email, realm_url: address }));
  return { direct_admins: withAddress(administrators), direct_users: withAddress(others) };
}
