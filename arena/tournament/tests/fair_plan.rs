//! Whatever the league, its plan treats all agents alike. Plans are random; no game is played.

use std::collections::{BTreeMap, BTreeSet};

use maumau_tournament::{AgentId, DealId, Lane, League, Plan};
use proptest::prelude::*;

/// Leagues of up to 8 agents.
fn plans() -> impl Strategy<Value = Plan> {
    (2_usize..=8).prop_flat_map(|agents| (Just(agents), 2..=agents, 1_u64..=4)).prop_map(|(agents, seats, deals)| {
        let names = (0..agents).map(|number| format!("agent {number}")).collect();
        Plan::new(League { agents: names, seats, games_per_pairing: deals * seats as u64, ..League::default() })
            .expect("a good league")
    })
}

proptest! {
    #[test]
    fn every_agent_plays_equally_often_and_every_seat_equally_often(plan in plans()) {
        let mut sat: BTreeMap<(AgentId, usize), u64> = BTreeMap::new();
        for index in 0..plan.len() {
            plan.game(index).seating().for_each(|(seat, agent)| *sat.entry((agent, seat.index())).or_default() += 1);
        }
        prop_assert_eq!(sat.len(), plan.agents().len() * plan.seats());
        let counts: BTreeSet<u64> = sat.values().copied().collect();
        prop_assert_eq!(counts.len(), 1, "{:?}", sat);
    }

    #[test]
    fn every_agent_of_a_group_plays_every_seat_of_a_deal_once(plan in plans()) {
        let mut sat: BTreeSet<(DealId, AgentId, usize)> = BTreeSet::new();
        let mut players: BTreeMap<DealId, BTreeSet<AgentId>> = BTreeMap::new();
        for index in 0..plan.len() {
            let game = plan.game(index);
            for (seat, agent) in game.seating() {
                prop_assert!(sat.insert((game.deal, agent, seat.index())), "{} again", game.id().0);
                players.entry(game.deal).or_default().insert(agent);
            }
        }
        prop_assert!(players.values().all(|group| group.len() == plan.seats()));
        let groups: BTreeSet<_> = players.values().collect();
        prop_assert_eq!(groups.len() as u64, plan.groups());
        prop_assert_eq!(players.len() as u64, plan.groups() * plan.deals_per_group());
    }

    #[test]
    fn no_process_ever_sees_the_same_deal_twice(plan in plans()) {
        let mut seen: BTreeSet<(AgentId, Lane, DealId)> = BTreeSet::new();
        for index in 0..plan.len() {
            let game = plan.game(index);
            for (agent, lane) in game.lanes() {
                prop_assert!(seen.insert((agent, lane, game.deal)), "{}", game.id().0);
            }
        }
        let lanes: BTreeSet<Lane> = seen.iter().map(|(_, lane, _)| *lane).collect();
        prop_assert_eq!(lanes.len(), plan.seats());
    }

    #[test]
    fn every_game_has_a_name_of_its_own_and_its_number(plan in plans()) {
        let names: BTreeSet<_> = (0..plan.len()).map(|index| plan.game(index).id()).collect();
        prop_assert_eq!(names.len() as u64, plan.len());
        prop_assert!((0..plan.len()).all(|index| plan.game(index).index == index));
    }

    #[test]
    fn at_no_time_is_a_pairing_more_than_a_deal_ahead(plan in plans()) {
        let mut played = vec![0_u64; plan.groups() as usize];
        for index in 0..plan.len() {
            played[plan.game(index).deal.group as usize] += 1;
            let (least, most) = (played.iter().min().expect("a group"), played.iter().max().expect("a group"));
            prop_assert!(most - least <= plan.seats() as u64);
        }
    }
}
