const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/;

/** A name, and one within it; those of extensions follow the address of their schema. */
const NAME = /^(?:urn:[a-z0-9:._-]{1,200}:)?[a-z$][\w$-]{0,100}(?:\.[a-z$][\w$-]{0,100})?$/;

/** The name of an attribute as it is compared: in lower case, without the address of a core schema; null for no name. */
export function attributeName(given: string): string | null {
  const name = given.toLowerCase().replace(CORE, '');
  return NAME.test(name) ? name : null;
}
