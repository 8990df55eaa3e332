// Matrices of doubles as arrays of rows: what the steps of a page are computed of when an input is changed.
const map = (a, f) => a.map((row, i) => row.map((x, j) => f(x, i, j)));
const mod = (a, b) => a - b * Math.floor(a / b);
const erf = (x) => {
  const a = Math.min(Math.abs(x), 6);
  let term = a * Math.exp(-a * a) * 1.1283791670955126;
  let total = term;
  for (let n = 1; n < 120; n++) total += term *= (2 * a * a) / (2 * n + 1);
  return Math.sign(x) * Math.min(total, 1);
};
const transpose = (a) => a[0].map((_, j) => a.map((row) => row[j]));
const matmul = (a, b) => a.map((row) => b[0].map((_, j) => row.reduce((sum, x, k) => sum + x * b[k][j], 0)));
const add = (a, b) => map(a, (x, i, j) => x + b[i][j]);
const scale = (a, factor) => map(a, (x) => (x === -Infinity ? x : x * factor));
const addRow = (a, row) => map(a, (x, _, j) => x + row[0][j]);
const subtractColumn = (a, column) => map(a, (x, i) => x - column[i][0]);
const divideRows = (a, column) => map(a, (x, i) => x / column[i][0]);
const exp = (a) => map(a, Math.exp);
const tanh = (a) => map(a, (x) => Math.tanh(x));
const rowSum = (a) => a.map((row) => [row.reduce((sum, x) => sum + x, 0)]);
const rowMax = (a) => a.map((row) => [Math.max(...row)]);
const softmax = (a) => {
  const powers = exp(subtractColumn(a, rowMax(a)));
  return divideRows(powers, rowSum(powers));
};
const keepLargest = (a, count) =>
  a.map((row) => {
    const first = row.map((_, j) => j).sort((i, j) => (row[i] === row[j] ? i - j : row[j] - row[i]));
    const kept = new Set(first.slice(0, count));
    return row.map((x, j) => (kept.has(j) ? x : -Infinity));
  });
const threshold = (a, power) =>
  a.map((row) => {
    const falling = row.map((x) => x / power).sort((x, y) => y - x);
    let [total, squares, count] = [0, 0, 0];
    for (const y of falling) {
      const x = y - falling[0];
      const beyond = power === 1 ? total - count * x : squares - 2 * x * total + count * x * x;
      if (!(beyond < 1)) break;
      [total, squares, count] = [total + x, squares + x * x, count + 1];
    }
    const mean = falling[0] + total / count;
    return [power === 1 ? mean - 1 / count : mean - Math.sqrt((1 - squares + (total * total) / count) / count)];
  });
const concat = (parts) => parts[0].map((_, i) => parts.flatMap((part) => part[i]));
const times = (a, b) => map(a, (x, i, j) => (x === -Infinity ? x : x * b[i][j]));
const each = (a, f) => map(a, f);
const block = (a, top, bottom, left, right) => a.slice(top, bottom).map((row) => row.slice(left, right));
const hide = (a, places) => {
  const made = map(a, (x) => x);
  for (const [i, j] of places) made[i][j] = -Infinity;
  return made;
};
const fillRows = (a, rows, value) => map(a, (x, i) => (rows.includes(i) ? value : x));
