import { slowestRoutes } from './server-figures.service';

const NAME = 'durations';

/** @param counts number of requests that took at most 0.1 s, at most 1 s, and in total */
function samples(route: string, seconds: number, counts: readonly [number, number, number], status = '2xx') {
  const labels = { method: 'GET', route, status };
  const [tenth, second, all] = counts;
  return [
    { name: `${NAME}_bucket`, labels: { ...labels, le: 0.1 }, value: tenth },
    { name: `${NAME}_bucket`, labels: { ...labels, le: 1 }, value: second },
    { name: `${NAME}_bucket`, labels: { ...labels, le: '+Inf' }, value: all },
    { name: `${NAME}_sum`, labels, value: seconds },
    { name: `${NAME}_count`, labels, value: all },
  ];
}

describe('the slowest routes', () => {
  it('are ordered by their mean, whatever the status', () => {
    const found = slowestRoutes([
      ...samples('/fast', 0.5, [10, 10, 10]),
      ...samples('/slow', 4, [0, 8, 8]),
      ...samples('/slow', 1, [0, 2, 2], '4xx'),
    ]);
    expect(found).toEqual([
      { method: 'GET', route: '/slow', requests: 10, mean_ms: 500, p95_ms: 955 },
      { method: 'GET', route: '/fast', requests: 10, mean_ms: 50, p95_ms: 95 },
    ]);
  });

  it('report the last bound for longer durations', () => {
    expect(slowestRoutes(samples('/', 100, [0, 1, 10]))).toMatchObject([{ p95_ms: 1000 }]);
  });

  it('exclude long polling, unused routes, and all but ten', () => {
    const many = Array.from({ length: 12 }, (_, at) => samples(`/${at}`, at + 1, [0, 1, 1])).flat();
    const found = slowestRoutes([
      ...many,
      ...samples('/api/v1/events', 100, [0, 0, 2]),
      ...samples('/never', 0, [0, 0, 0]),
    ]);
    expect(found).toHaveLength(10);
    expect(found[0]).toMatchObject({ route: '/11' });
  });
});
