import { csvRows } from './csv';

const cellsOf = (text: string) => csvRows(text).map(({ cells }) => cells);

it('reads cells, of which quoted ones hold separators, quotes and line breaks', () => {
  expect(csvRows('\uFEFFa, b ,c\r\n\r\n"x,""y""\nz",,1\n,,\nlast')).toEqual([
    { line: 1, cells: ['a', 'b', 'c'], isComplete: true },
    { line: 3, cells: ['x,"y"\nz', '', '1'], isComplete: true },
    { line: 6, cells: ['last'], isComplete: true },
  ]);
});

it('takes semicolons as separators where the first line has one', () => {
  expect(cellsOf('a;b\n"1;2";3,4')).toEqual([
    ['a', 'b'],
    ['1;2', '3,4'],
  ]);
  expect(cellsOf('"a;b",c\n1;2,3')).toEqual([
    ['a;b', 'c'],
    ['1;2', '3'],
  ]);
});

it('says where a quoted cell does not end', () => {
  expect(csvRows('a\n"b\nc')).toEqual([
    { line: 1, cells: ['a'], isComplete: true },
    { line: 2, cells: ['b\nc'], isComplete: false },
  ]);
});

it.each(['', '\n\n', ',,\n'])('reads no row from %j', (text) => {
  expect(csvRows(text)).toEqual([]);
});

it('reads a large file in linear time', () => {
  for (const part of ['"a"', 'x"', ' ', '",', 'x;'])
    expect(csvRows(part.repeat(300_000)).length).toBeLessThan(2);
});
