use maumau_engine::selftest::SelfTest;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let (set, from, n) = (&a[1], a[2].parse::<u64>().unwrap(), a[3].parse::<u64>().unwrap());
    let max: usize = a.get(4).map_or(5, |x| x.parse().unwrap());
    let mut t = SelfTest::new(set, 1).unwrap();
    let mut fails = 0; let mut p = (0,0,0);
    let s = std::time::Instant::now();
    for k in from..from + n {
        let r = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| t.play(k)));
        match r {
            Ok(Ok(x)) => { p.0 += x.steps; p.1 += x.legal; p.2 += x.twins }
            Ok(Err(b)) => { fails += 1; if fails <= max { println!("#{k} {}\n   {:.3000}", t.table(), b.0) } }
            Err(_) => { fails += 1; println!("#{k} PANIC {}", t.table()) }
        }
    }
    println!("{set}: {fails} failures of {n}, {p:?}, {:?}", s.elapsed());
}
