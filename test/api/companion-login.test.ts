import { PASSWORD } from '../support/cast';
import { TestApp } from '../support/test-app';

const HOURS_8 = 8 * 3600;

describe('Signing in to the companion interface', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start();
  });

  afterAll(() => app.stop());

  it('gives a token and the record of the person', async () => {
    const { mia } = app.cast;
    const answer = await app
      .companion()
      .post('/auth/login', { email: ' MIA@example.com ', password: PASSWORD });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      token_type: 'bearer',
      expires_in: HOURS_8,
      user: {
        user_id: mia.id,
        email: 'mia@example.com',
        full_name: 'Mia Member',
        role: 'member',
        is_active: true,
        can_create_users: false,
        date_joined: expect.any(String),
      },
    });
    const client = await app.companionAs(mia);
    expect(await client.get('/auth/me')).toMatchObject({ status: 200, body: answer.body.user });
  });
});
