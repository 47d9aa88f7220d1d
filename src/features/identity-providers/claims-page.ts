import type { IdentityProvider } from '../../platform/config/identity-providers';
import { markup, type Page } from '../../platform/pages/web-page';
import { emailOf, groupsOf, hasFactor, isVerifiedByProvider, type PersonClaims, roleOf } from './claims';
import { wordsIn } from './provider-words';

/** Renders the claims of a provider about a person, and their effect on the account. */
export function claimsPage(provider: IdentityProvider, claims: PersonClaims): Page {
  return (language) => {
    const words = wordsIn(language).claimed;
    const email = emailOf(claims);
    const held = groupsOf(provider, claims);
    const groups = Object.entries(provider.groups).flatMap(([value, name]) =>
      held?.has(value) ? [name] : [],
    );
    const isVerified = email !== null && isVerifiedByProvider(provider, claims, email);
    const facts = {
      [words.verified]: isVerified ? words.yes : words.no,
      [words.role]: words.roles[roleOf(provider, claims)],
      [words.factor]: hasFactor(provider, claims) ? words.yes : words.no,
      [words.groups]: held === null ? words.unchanged : groups.join(', ') || words.none,
    };
    const line = ([name, value]: [string, unknown]) =>
      markup`<p>${name}: <code>${typeof value === 'string' ? value : JSON.stringify(value)}</code></p>`;
    return {
      title: words.title(provider.label),
      body: markup`${Object.entries(claims).map(line)}
      <h2>${words.here}</h2>
      ${Object.entries(facts).map(line)}`,
    };
  };
}
