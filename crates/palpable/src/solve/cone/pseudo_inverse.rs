//! Collisions by the pseudo-inverse `[Constantinescu2005, (20)-(21)]`, for comparison.

use super::collide::Resolution;
use super::contact::IslandReport;
use super::passive::Sums;
use super::problem::{ConeProblem, Link};
use crate::math::Room;

/// Rows whose part outside those before is less than this, squared and relative, depend on them.
const DEPENDENT: f64 = 1e-12;

/// Rows of the largest collision that the pseudo-inverse resolves: `W` and its factors have that
/// many squared numbers. Larger ones are resolved at once, by cones.
pub(super) const MOST_ROWS: usize = 256;

/// Work space, as large as [`ConeProblem::prepare`] made it.
#[derive(Debug, Clone, Default)]
pub(super) struct Pseudo {
    rows: Room<Row>,
    /// `W`, row-major
    w: Room<f64>,
    /// `W = L Lᵀ`, row-major, as many columns as the rank
    l: Room<f64>,
    /// Cholesky factor of `LᵀL`
    g: Room<f64>,
    left: Room<f64>,
    taken: Room<bool>,
    small: Room<f64>,
    error: Room<f64>,
    p: Room<f64>,
}

/// One row of `𝒥`: a contact, or one side of it.
#[derive(Debug, Clone, Copy)]
struct Row {
    contact: u32,
    /// sides of the problem it belongs to
    links: (usize, usize),
    /// velocity before [m/s]
    rate: f64,
    restitution: f64,
}

impl Pseudo {
    /// Room for collisions of so many rows.
    fn with_rows(n: usize) -> Self {
        let numbers = Room::<f64>::with_capacity;
        Self {
            rows: Room::with_capacity(n),
            w: numbers(n * n),
            l: numbers(n * n),
            g: numbers(n * n),
            left: numbers(n),
            taken: Room::with_capacity(n),
            small: numbers(n),
            error: numbers(n),
            p: numbers(n),
        }
    }

    /// `W = L Lᵀ` by diagonal pivots until the rest is rounding; returns the rank.
    fn factor(&mut self) -> usize {
        let n = self.rows.len();
        self.l.clear();
        self.l.resize(n * n, 0.0);
        self.left.clear();
        self.left.extend((0..n).map(|i| self.w[i * n + i]));
        self.taken.clear();
        self.taken.resize(n, false);
        let most = self.left.iter().fold(0.0, |m: f64, d| m.max(*d));
        for k in 0..n {
            let free = (0..n).filter(|&i| !self.taken[i]);
            let Some(pivot) = free.max_by(|&a, &b| self.left[a].total_cmp(&self.left[b])) else {
                return k;
            };
            if !(self.left[pivot] > DEPENDENT * most) {
                return k;
            }
            let root = self.left[pivot].sqrt();
            self.taken[pivot] = true;
            for i in 0..n {
                if self.taken[i] && i != pivot {
                    continue;
                }
                let (a, b) = (&self.l[i * n..i * n + k], &self.l[pivot * n..pivot * n + k]);
                let before: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
                let entry = (self.w[i * n + pivot] - before) / root;
                self.l[i * n + k] = entry;
                self.left[i] -= entry * entry;
            }
        }
        n
    }

    /// `LᵀL = C Cᵀ`; positive definite, as `L` has full column rank.
    fn square(&mut self, rank: usize) {
        let n = self.rows.len();
        self.g.clear();
        self.g.resize(rank * rank, 0.0);
        for a in 0..rank {
            for b in 0..=a {
                let mut sum: f64 = (0..n).map(|i| self.l[i * n + a] * self.l[i * n + b]).sum();
                sum -= (0..b).map(|k| self.g[a * rank + k] * self.g[b * rank + k]).sum::<f64>();
                self.g[a * rank + b] = match a == b {
                    true => sum.max(f64::MIN_POSITIVE).sqrt(),
                    false => sum / self.g[b * rank + b],
                };
            }
        }
    }

    /// `p += W† error = L (LᵀL)⁻² Lᵀ error`, the least of all solutions.
    fn add_solution(&mut self, rank: usize) {
        let n = self.rows.len();
        self.small.clear();
        for k in 0..rank {
            let sum = (0..n).map(|i| self.l[i * n + k] * self.error[i]).sum();
            self.small.push(sum);
        }
        for _ in 0..2 {
            for a in 0..rank {
                let sum: f64 = (0..a).map(|b| self.g[a * rank + b] * self.small[b]).sum();
                self.small[a] = (self.small[a] - sum) / self.g[a * rank + a];
            }
            for a in (0..rank).rev() {
                let sum: f64 = (a + 1..rank).map(|b| self.g[b * rank + a] * self.small[b]).sum();
                self.small[a] = (self.small[a] - sum) / self.g[a * rank + a];
            }
        }
        for i in 0..n {
            let row = &self.l[i * n..i * n + rank];
            self.p[i] += row.iter().zip(&self.small).map(|(l, x)| l * x).sum::<f64>();
        }
    }

    /// `p = −W† (1 + e) u`, refined twice. `bounce` gives the restitution of a row.
    fn solve(&mut self, bounce: impl Fn(&Row) -> f64) {
        let n = self.rows.len();
        let rank = self.factor();
        self.square(rank);
        self.p.clear();
        self.p.resize(n, 0.0);
        for _ in 0..3 {
            self.error.clear();
            for (i, row) in self.rows.iter().enumerate() {
                let w = &self.w[i * n..i * n + n];
                let now: f64 = w.iter().zip(&self.p).map(|(w, p)| w * p).sum();
                self.error.push(-(1.0 + bounce(row)) * row.rate - now);
            }
            self.add_solution(rank);
        }
    }

    /// `p·W p` and `p·u`.
    fn sums(&self) -> Sums {
        let n = self.rows.len();
        let mut sums = Sums::default();
        for (i, row) in self.rows.iter().enumerate() {
            let w = &self.w[i * n..i * n + n];
            sums.a += self.p[i] * w.iter().zip(&self.p).map(|(w, p)| w * p).sum::<f64>();
            sums.b += self.p[i] * row.rate;
        }
        sums
    }
}

impl ConeProblem {
    /// Makes room for collisions by a resolution, so that no step has to. Allocates.
    pub fn prepare(&mut self, resolution: Resolution) {
        let rows = match resolution {
            Resolution::Simultaneous | Resolution::Sequential => return,
            Resolution::PseudoInverse => self.capacity.contacts,
            Resolution::PerBody => self.capacity.sides,
        };
        let rows = rows.min(MOST_ROWS);
        if self.collider.pseudo.rows.capacity() < rows {
            self.collider.pseudo = Pseudo::with_rows(rows);
        }
    }

    /// Rows that the pseudo-inverse would have for an island: one a contact that approaches, or one
    /// for each of its sides.
    pub(super) fn pseudo_rows(&mut self, island: usize, per_body: bool) -> usize {
        let mut listed = std::mem::take(&mut self.collider.shocks);
        self.list_approaching(island, &mut listed);
        let sides = |c: &u32| self.blocks.contacts[*c as usize].sides;
        let rows = if per_body { listed.iter().map(sides).sum() } else { listed.len() };
        self.collider.shocks = listed;
        rows
    }

    /// All that approaches, by the pseudo-inverse.
    ///
    /// # Equation
    /// ```text
    /// p = −(1 + e)(𝒥 D⁻¹ 𝒥ᵀ)† 𝒥 q̇₀,    q̇ = q̇₀ + D⁻¹ 𝒥ᵀ p      [Constantinescu2005, (20)-(21)]
    /// E = E₀ − ½(1 − e²) q̇₀ᵀ 𝒥ᵀ(𝒥 D⁻¹ 𝒥ᵀ)† 𝒥 q̇₀
    /// ```
    /// With `side_rates`, `𝒥` has a row for each body at a contact (13)-(14), else one for both.
    /// # Guarantee
    /// The energy does not rise, for any rank of `𝒥`.
    /// # Cost
    /// `n³` for `n` rows, at most [`MOST_ROWS`].
    /// # Differs from the source
    /// The printed (18), (24), (32), (34) miss the factor ½. Where contacts differ in `e`, each has
    /// its own as long as that is passive, else all have the least. Nothing bounces below
    /// `rest_speed`.
    pub(super) fn invert(
        &mut self,
        island: usize,
        rest_speed: f64,
        side_rates: &[f64],
    ) -> IslandReport {
        let mut listed = std::mem::take(&mut self.collider.shocks);
        let mut pseudo = std::mem::take(&mut self.collider.pseudo);
        let fastest = self.list_approaching(island, &mut listed);
        let bounces = fastest > rest_speed;
        let per_body = side_rates.len() == self.blocks.links.len();
        self.write_rows(&listed, (per_body, side_rates), &mut pseudo);
        let own = |row: &Row| if bounces { row.restitution } else { 0.0 };
        pseudo.solve(own);
        let mut sums = pseudo.sums();
        if !(0.5 * sums.a + sums.b <= 0.0) {
            let least = pseudo.rows.iter().map(own).fold(1.0, f64::min);
            pseudo.solve(|_| least);
            sums = pseudo.sums();
        }
        let scale = sums.impulse_scale(1.0);
        self.act(island, &pseudo, scale);
        let contacts = self.islands.contacts(island).len();
        (self.collider.shocks, self.collider.pseudo) = (listed, pseudo);
        IslandReport {
            contacts,
            residual: 0.0,
            start_scale: 1.0,
            scale,
            bounce: 1.0,
            sweeps: 0,
            newton_steps: 0,
            idle: false,
            work: if scale > 0.0 { scale * (0.5 * scale * sums.a + sums.b) } else { 0.0 },
        }
    }

    /// The rows of the listed contacts and `W` between them.
    fn write_rows(&self, listed: &[u32], sides: (bool, &[f64]), pseudo: &mut Pseudo) {
        pseudo.rows.clear();
        for &contact in listed {
            let block = &self.blocks.contacts[contact as usize];
            let restitution = block.restitution;
            if sides.0 {
                for link in block.side..block.side + block.sides {
                    let (links, rate) = ((link, link + 1), sides.1[link]);
                    pseudo.rows.push(Row { contact, links, rate, restitution });
                }
            } else {
                let links = (block.side, block.side + block.sides);
                let rate = self.blocks.bias[block.row];
                pseudo.rows.push(Row { contact, links, rate, restitution });
            }
        }
        let n = pseudo.rows.len();
        pseudo.w.clear();
        pseudo.w.resize(n * n, 0.0);
        for i in 0..n {
            for j in 0..=i {
                let w = self.coupling(&pseudo.rows[i], &pseudo.rows[j]);
                (pseudo.w[i * n + j], pseudo.w[j * n + i]) = (w, w);
            }
        }
    }

    fn coupling(&self, a: &Row, b: &Row) -> f64 {
        let links = |row: &Row| &self.blocks.links[row.links.0..row.links.1];
        let mut sum = 0.0;
        for left in links(a) {
            for right in links(b).iter().filter(|right| right.group == left.group) {
                let column = left.read - left.start;
                let answer = &self.answer(right)[column..column + left.width];
                let push = &self.blocks.jacobian[left.jacobian..left.jacobian + left.width];
                sum += push.iter().zip(answer).map(|(j, y)| j * y).sum::<f64>();
            }
        }
        sum
    }

    /// What a unit impulse along the normal gives to one group.
    fn answer(&self, link: &Link) -> &[f64] {
        &self.blocks.response[link.response..link.response + link.dim]
    }

    /// Impulses and changes of velocity of an island. Of a contact whose bodies have impulses of
    /// their own, the mean is kept.
    fn act(&mut self, island: usize, pseudo: &Pseudo, scale: f64) {
        for &c in self.islands.contacts(island) {
            let block = &self.blocks.contacts[c as usize];
            self.unknowns.lambda[block.row..block.row + block.rows].fill(0.0);
        }
        self.unknowns.clear_change(&self.blocks, self.islands.groups(island));
        for (row, p) in pseudo.rows.iter().zip(&pseudo.p) {
            let p = if scale == 0.0 { 0.0 } else { scale * p };
            let block = &self.blocks.contacts[row.contact as usize];
            let share = (row.links.1 - row.links.0) as f64 / block.sides as f64;
            self.unknowns.lambda[block.row] += share * p;
            for link in &self.blocks.links[row.links.0..row.links.1] {
                let y = &self.blocks.response[link.response..link.response + link.dim];
                let z = &mut self.unknowns.change[link.start..link.start + link.dim];
                z.iter_mut().zip(y).for_each(|(z, y)| *z += y * p);
            }
        }
        for &c in self.islands.contacts(island) {
            let block = &self.blocks.contacts[c as usize];
            let rate = self.blocks.rate(block, &self.unknowns.change);
            for (r, rate) in rate.iter().enumerate().take(block.rows) {
                self.unknowns.velocity[block.row + r] = self.unknowns.free[block.row + r] + rate;
            }
        }
    }
}
