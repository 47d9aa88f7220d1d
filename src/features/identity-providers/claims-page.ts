import type { IdentityProvider } from '../../platform/config/identity-providers';
import { markup, type PageContent } from '../../platform/pages/web-page';
import { emailOf, groupsOf, hasFactor, isVouchedFor, type PersonClaims, roleOf } from './claims';

/** What a provider says of a person, and what follows from it. */
export function claimsPage(provider: IdentityProvider, claims: PersonClaims): PageContent {
  const email = emailOf(claims);
  const held = groupsOf(provider, claims);
  const groups = Object.entries(provider.groups).flatMap(([value, name]) => (held?.has(value) ? [name] : []));
  const facts = {
    'Email address counts as verified':
      email !== null && isVouchedFor(provider, claims, email) ? 'yes' : 'no',
    'Role of a new account': roleOf(provider, claims),
    'Second factor shown': hasFactor(provider, claims) ? 'yes' : 'no',
    'User groups': held === null ? 'unchanged: no such claim' : groups.join(', ') || 'none',
  };
  const line = ([name, value]: [string, unknown]) =>
    markup`<p>${name}: <code>${typeof value === 'string' ? value : JSON.stringify(value)}</code></p>`;
  return {
    title: `Claims from ${provider.label}`,
    body: markup`${Object.entries(claims).map(line)}
      <h2>In Parley</h2>
      ${Object.entries(facts).map(line)}`,
  };
}
