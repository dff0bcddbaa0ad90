//! What is recorded is what is read back, and a file under its final name is whole.

mod common;

use common::{bits, columns, folder, table};
use palpable_record::{
    Column, CsvSink, Decimator, McapSink, RecordError, Sink, Table, Tee, read_csv, read_mcap,
};

#[test]
fn csv_gives_back_every_bit_of_finite_and_infinite_values() {
    let path = folder("csv_bits").join("run.csv");
    let table = table();
    table.play(&mut CsvSink::create(&path).unwrap()).unwrap();
    let back = read_csv(&path).unwrap();
    assert_eq!(bits(&back), bits(&table));
    let names = |t: &Table| -> Vec<(String, String)> {
        t.columns().iter().map(|c| (c.name.clone(), c.unit.clone())).collect()
    };
    assert_eq!(names(&back), names(&table));
}

#[test]
fn mcap_gives_back_every_bit_and_every_column_with_its_group() {
    let path = folder("mcap_bits").join("run.mcap");
    let table = table();
    table.play(&mut McapSink::create(&path).unwrap()).unwrap();
    let back = read_mcap(&path).unwrap();
    assert_eq!(bits(&back), bits(&table));
    assert_eq!(back.columns(), table.columns());
}

/// Names and structure, most of the text of a run, must not count.
#[cfg(feature = "zstd")]
#[test]
fn packed_recordings_are_small_and_read_back_across_chunks() {
    let path = folder("mcap_packed").join("run.mcap");
    let mut table = Table::new(&columns());
    let mut text = 0;
    for i in 0..20_000 {
        let time = f64::from(i) * 1e-3;
        let values: Vec<f64> = (0..columns().len()).map(|c| (time + c as f64).sin()).collect();
        text += values.iter().map(|v| v.to_string().len()).sum::<usize>();
        table.push(time, &values).unwrap();
    }
    table.play(&mut McapSink::create(&path).unwrap()).unwrap();
    let size = std::fs::metadata(&path).unwrap().len() as usize;
    // the numbers alone, without a name or a comma, and where each of 7 messages a row is
    assert!(size < text + 20_000 * 7 * 16, "{size} bytes for {text} bytes of digits");
    assert_eq!(bits(&read_mcap(&path).unwrap()), bits(&table));
}

#[test]
fn not_a_number_stays_not_a_number() {
    let folder = folder("nan");
    let mut table = Table::new(&[Column::new("a", "", "")]);
    for value in [f64::NAN, -f64::NAN, 1.0] {
        table.push(f64::NAN, &[value]).unwrap();
    }
    let (csv, mcap) = (folder.join("nan.csv"), folder.join("nan.mcap"));
    table.play(&mut CsvSink::create(&csv).unwrap()).unwrap();
    table.play(&mut McapSink::create(&mcap).unwrap()).unwrap();
    for back in [read_csv(&csv).unwrap(), read_mcap(&mcap).unwrap()] {
        let a = back.column("a").unwrap();
        assert!(a[0].is_nan() && a[1].is_nan() && a[2] == 1.0);
        assert!(back.time().iter().all(|t| t.is_nan()));
    }
}

#[test]
fn the_heading_names_every_column_with_its_unit() {
    let path = folder("heading").join("run.csv");
    let mut sink = CsvSink::create(&path).unwrap();
    let columns = [Column::new("ball.x", "m", "body/ball"), Column::new("steps", "", "step")];
    sink.begin(&columns).unwrap();
    sink.row(0.5, &[1.25, 3.0]).unwrap();
    sink.finish().unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text, "time [s],ball.x [m],steps\n0.5,1.25,3.0\n");
}

#[test]
fn a_file_takes_its_name_only_when_finished() {
    let folder = folder("atomic");
    let (csv, mcap) = (folder.join("deep/run.csv"), folder.join("deep/run.mcap"));
    let mut tee =
        Tee::new().with(CsvSink::create(&csv).unwrap()).with(McapSink::create(&mcap).unwrap());
    tee.begin(&columns()).unwrap();
    assert!(!csv.exists() && !mcap.exists());
    assert!(folder.join("deep/run.csv.part").exists());
    tee.finish().unwrap();
    tee.finish().unwrap();
    assert!(csv.exists() && mcap.exists());
    assert!(!folder.join("deep/run.csv.part").exists());
    assert!(!folder.join("deep/run.mcap.part").exists());
}

#[test]
fn a_dropped_sink_leaves_a_complete_file() {
    let folder = folder("dropped");
    let (csv, mcap) = (folder.join("run.csv"), folder.join("run.mcap"));
    {
        let mut tee =
            Tee::new().with(CsvSink::create(&csv).unwrap()).with(McapSink::create(&mcap).unwrap());
        tee.begin(&columns()).unwrap();
        for row in 0..5000 {
            tee.row(f64::from(row), &vec![f64::from(row); columns().len()]).unwrap();
        }
    }
    for back in [read_csv(&csv).unwrap(), read_mcap(&mcap).unwrap()] {
        assert_eq!(back.len(), 5000);
        assert_eq!(back.column("hand.force").unwrap()[4999], 4999.0);
    }
}

#[test]
fn recordings_without_rows_or_columns_read_back() {
    let folder = folder("empty");
    let (csv, mcap) = (folder.join("run.csv"), folder.join("run.mcap"));
    drop((CsvSink::create(&csv).unwrap(), McapSink::create(&mcap).unwrap()));
    assert_eq!(read_csv(&csv).unwrap(), Table::new(&[]));
    assert_eq!(read_mcap(&mcap).unwrap(), Table::new(&[]));
    let mut times = Table::new(&[]);
    times.push(1.5, &[]).unwrap();
    times.play(&mut CsvSink::create(&csv).unwrap()).unwrap();
    times.play(&mut McapSink::create(&mcap).unwrap()).unwrap();
    assert_eq!(read_csv(&csv).unwrap(), times);
    assert_eq!(read_mcap(&mcap).unwrap(), times);
}

#[test]
fn calls_out_of_order_and_rows_of_wrong_length_are_refused() {
    let path = folder("order").join("run.csv");
    let mut sink = CsvSink::create(&path).unwrap();
    assert!(matches!(sink.row(0.0, &[]), Err(RecordError::Order { .. })));
    sink.begin(&columns()).unwrap();
    assert!(matches!(sink.begin(&columns()), Err(RecordError::Order { .. })));
    let error = sink.row(0.0, &[1.0]).unwrap_err();
    assert!(matches!(error, RecordError::RowLength { expected: 13, found: 1, .. }), "{error}");
    sink.finish().unwrap();
    assert!(matches!(sink.row(0.0, &[0.0; 13]), Err(RecordError::Order { .. })));
}

#[test]
fn a_pose_is_recorded_as_viewers_expect_it() {
    let path = folder("pose").join("run.mcap");
    let mut table = Table::new(&Column::pose("ball"));
    table.push(2.25, &[1.0, 2.0, 3.0, 0.0, 0.0, 0.6, 0.8]).unwrap();
    table.play(&mut McapSink::create(&path).unwrap()).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let messages: Vec<_> =
        mcap::MessageStream::new(&bytes).unwrap().map(|message| message.unwrap()).collect();
    let schema = |i: usize| messages[i].channel.schema.as_ref().unwrap().name.clone();
    assert_eq!(messages[0].channel.topic, "/body/ball");
    assert_eq!(schema(0), "foxglove.PoseInFrame");
    assert_eq!(messages[0].log_time, 2_250_000_000);
    let pose: serde_json::Value = serde_json::from_slice(&messages[0].data).unwrap();
    assert_eq!(pose["pose"]["position"]["z"], 3.0);
    assert_eq!(pose["pose"]["orientation"]["w"], 0.8);
    assert_eq!(pose["timestamp"]["nsec"], 250_000_000);
    assert_eq!(
        (messages[1].channel.topic.as_str(), schema(1).as_str()),
        ("/tf", "foxglove.FrameTransforms")
    );
    let frames: serde_json::Value = serde_json::from_slice(&messages[1].data).unwrap();
    assert_eq!(frames["transforms"][0]["child_frame_id"], "ball");
    assert_eq!(frames["transforms"][0]["rotation"]["z"], 0.6);
}

#[test]
fn frames_come_sixty_times_per_second_and_poses_every_row() {
    let path = folder("frames").join("run.mcap");
    let mut table = Table::new(&Column::pose("ball"));
    for tick in 0..1000 {
        table.push(1e-3 * f64::from(tick), &[0.0; 7]).unwrap();
    }
    table.play(&mut McapSink::create(&path).unwrap()).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let messages = mcap::MessageStream::new(&bytes).unwrap().map(|message| message.unwrap());
    let topics: Vec<String> = messages.map(|message| message.channel.topic.clone()).collect();
    let count = |topic: &str| topics.iter().filter(|t| *t == topic).count();
    assert_eq!(count("/body/ball"), 1000);
    // 1 s in steps of 1 ms: every 17th
    assert_eq!(count("/tf"), 59);
}

#[test]
fn thinning_keeps_every_columns_extremes_and_few_rows() {
    let columns = [Column::new("a", "", ""), Column::new("b", "", "")];
    let mut thin = Decimator::new(1000);
    thin.begin(&columns).unwrap();
    let count = 300_000;
    for i in 0..count {
        let t = f64::from(i);
        let a = if i == 123_457 { 9.0 } else { (0.01 * t).sin() };
        let b = if i == 271_828 { -7.0 } else { (0.003 * t).cos() };
        thin.row(t, &[a, b]).unwrap();
    }
    let table = thin.table();
    assert!(table.len() <= 1000, "{} rows", table.len());
    assert_eq!(thin.seen(), 300_000);
    assert_eq!((table.time()[0], table.time()[table.len() - 1]), (0.0, f64::from(count - 1)));
    let row = |t: f64| table.time().iter().position(|time| *time == t).unwrap();
    assert_eq!(table.column("a").unwrap()[row(123_457.0)], 9.0);
    assert_eq!(table.column("b").unwrap()[row(271_828.0)], -7.0);
    // even over the run: no tenth of it is left with few rows
    for tenth in 0..10 {
        let part = f64::from(tenth) * 30_000.0..f64::from(tenth + 1) * 30_000.0;
        let rows = table.time().iter().filter(|t| part.contains(t)).count();
        assert!(rows > 10, "tenth {tenth} has {rows} rows");
    }
}

/// Channels of MCAP are numbered with 16 bits: a recording of 100 000 bodies is refused before
/// anything of it is written, and finding that out takes no time that grows with their square.
#[test]
fn more_channels_than_mcap_can_number_are_refused_with_the_cure() {
    let path = folder("mcap_channels").join("run.mcap");
    let columns: Vec<Column> =
        (0..200_000).map(|i| Column::new(format!("b{i}.x"), "m", format!("b{i}"))).collect();
    let mut sink = McapSink::create(&path).unwrap();
    let error = sink.begin(&columns).unwrap_err().to_string();
    assert!(error.contains("200000 channels") && error.contains("--csv"), "{error}");
    assert!(
        McapSink::create(folder("mcap_few").join("run.mcap"))
            .unwrap()
            .begin(&columns[..99])
            .is_ok()
    );
}
