import { keyScopeOf, type Route, routesOf, who } from '../../scripts/routes-table';
import type { Answer, Method } from '../support/api-client';
import { endpointOf, readTable } from '../support/permissions/table';
import { TestApp } from '../support/test-app';

/** The refusal of unauthenticated requests on routes that accept sessions. */
const NOT_LOGGED_IN = 'Not logged in: API authentication or user session required';

describe('the routes', () => {
  let app: TestApp;
  let routes: Route[];

  beforeAll(async () => {
    app = await TestApp.start();
    routes = routesOf(app.nest);
  });

  afterAll(() => app.stop());

  /** Calls a route without credentials, with the number 1 for each parameter of its path. */
  function callAsStranger({ verb, path }: Route): Promise<Answer> {
    return app.client(null).send({ method: verb as Method, url: path.replace(/\{\w+\}/g, '1') });
  }

  it('and whom they serve are in test/spec/permission-matrix.tsv, where a change is one of permissions', () => {
    const served = routes.map(({ verb, path, policy }) => [
      endpointOf(verb, path),
      who(policy),
      policy.isRateLimited,
      keyScopeOf(policy, verb),
    ]);
    const listed = [...readTable().endpoints].map(([endpoint, { serves, isRateLimited, keyScope }]) => [
      endpoint,
      serves,
      isRateLimited,
      keyScope,
    ]);
    expect(served).toEqual(listed);
  });

  it('are closed to strangers unless they say otherwise', async () => {
    const closed = routes.filter(({ policy }) => !policy.public && !policy.optionalCredentials);
    for (const route of closed) {
      const { status, body, headers } = await callAsStranger(route);
      if (route.policy.scheme === 'session') {
        expect({ route, status, location: headers['location'] }).toMatchObject({
          status: 302,
          location: expect.stringMatching(/^\/login\//),
        });
        continue;
      }
      if (route.policy.scheme === 'key') {
        const missing = { code: 'REQUEST_VARIABLE_MISSING', var_name: 'api_key' };
        expect({ route, status, body }).toMatchObject({ route, status: 400, body: missing });
        continue;
      }
      const refusal = route.path.startsWith('/api/v1/')
        ? { code: 'UNAUTHORIZED' }
        : { detail: route.policy.takesSessions ? NOT_LOGGED_IN : 'Not authenticated' };
      expect({ route, status, body }).toMatchObject({ route, status: 401, body: refusal });
    }
    expect(closed.length).toBeGreaterThan(0);
  });

  it('that are open let strangers in', async () => {
    const open = routes.filter(({ policy }) => policy.public && !policy.ownSecret);
    for (const route of open) {
      const { status } = await callAsStranger(route);
      expect({ route, status }).not.toEqual({ route, status: 401 });
    }
    expect(open.length).toBeGreaterThan(0);
  });

  it('that ask for a secret of their own refuse strangers, also while there is no secret', async () => {
    const guarded = routes.filter(({ policy }) => policy.ownSecret);
    for (const route of guarded) {
      const { status } = await callAsStranger(route);
      expect([401, 403]).toContain(status);
    }
    expect(guarded.length).toBeGreaterThan(0);
  });
});
