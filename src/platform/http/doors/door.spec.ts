import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { accessPolicy } from '../access.guard';
import { doorOf, isApi, isMainInterface, throughDoor } from './door';

class Anything {
  call(): void {}
}
const policy = accessPolicy({ getHandler: () => Anything.prototype.call, getClass: () => Anything as never });

const cameThroughDoor = (raw: IncomingMessage) =>
  doorOf({ raw, headers: {}, method: 'GET' } as FastifyRequest, policy) === 'json';

const through = (url: string) => {
  const request = { url } as IncomingMessage;
  const path = throughDoor(request);
  return { path, isMarked: cameThroughDoor(request) };
};

describe('The door for browsers', () => {
  it.each([
    ['/json/messages?a=1', '/api/v1/messages?a=1'],
    ['/json/', '/api/v1/'],
    ['/json//messages', '/api/v1//messages'],
    ['/json/companion', '/api/v1/companion'],
    ['/json/companion/auth/me?a=1', '/api/auth/me?a=1'],
    ['/json/%63ompanion/auth/me', '/api/v1/%63ompanion/auth/me'],
    ['/json/companion/v1/messages', '/api/v1/messages'],
  ])('leads from %s to %s', (url, path) => {
    expect(through(url)).toEqual({ path, isMarked: true });
  });

  it.each([
    '/',
    '/json',
    '/json?/json/messages',
    '//json/messages',
    '/JSON/messages',
    '/%6ason/messages',
    '/./json/messages',
    '/api/../json/messages',
    '/api/v1/messages?next=/json/',
    'http://chat.example.com/json/messages',
    '*',
  ])('is not %s', (url) => {
    expect(through(url)).toEqual({ path: url, isMarked: false });
  });

  it.each([
    ['/accounts/login', '/login'],
    ['/accounts/login/?next=/a', '/login/?next=/a'],
    ['/accounts/login/social', '/accounts/login/social'],
    ['/accounts/logins', '/accounts/logins'],
    ['/accounts/logout/', '/accounts/logout/'],
  ])('has the sign-in page under both of its addresses: %s is %s', (url, path) => {
    expect(through(url)).toEqual({ path, isMarked: false });
  });

  it('keeps its mark where a request is routed once more', () => {
    const request = { url: '/json/settings' } as IncomingMessage;
    request.url = throughDoor(request);
    expect(throughDoor(request)).toBe('/api/v1/settings');
    expect(cameThroughDoor(request)).toBe(true);
  });
});

it.each<[string, boolean, boolean]>([
  ['/api/v1/users/me', true, true],
  ['/api/v1/users?next=/elsewhere', true, true],
  ['//api///v1//users', true, true],
  ['/api/v1', true, true],
  ['/api/v1?x=1', true, true],
  ['/%61pi/v%31/users', true, true],
  ['http://chat.example.com/api/v1/users', true, true],
  ['/api/v10/users', false, true],
  ['/api/auth/login', false, true],
  ['/api', false, true],
  ['/apiary', false, false],
  ['/user_uploads/1/api/v1/x', false, false],
  ['/?x=/api/v1/', false, false],
  ['/%zz/api/v1/', false, false],
  ['*', false, false],
  ['', false, false],
])('Which interface %s belongs to', (url, main, api) => {
  expect([isMainInterface(url), isApi(url)]).toEqual([main, api]);
});
