import { isApi, isMainInterface } from './interface-paths';

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
])('%s', (url, main, api) => {
  expect([isMainInterface(url), isApi(url)]).toEqual([main, api]);
});
